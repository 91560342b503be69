import type { Command } from 'commander';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { createOutput } from '../output/output.ts';

/** `ers-harness setup-k6`: finds k6 or builds it once; hidden, because every command that needs k6 does it too. */
export function setupK6Command(program: Command): void {
  program
    .command('setup-k6', { hidden: true })
    .description('find k6, or build it once')
    .action(async () => {
      const output = createOutput({});
      const k6 = await findK6({ onProgress: output.say, onWarning: output.warn });
      output.say(`k6 ${k6.version} at ${k6.path}`);
    });
}
