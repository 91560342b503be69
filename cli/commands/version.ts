import { arch, platform } from 'node:os';
import type { Command } from 'commander';
import { messageOf } from '../../lib/errors.ts';
import { packageRoot, packageVersion } from '../../lib/package-root.ts';
import { findK6, k6License, originOf, pinnedVersion } from '../../load/k6/binary/binary.ts';
import { createOutput } from '../output/output.ts';

/** `--version --verbose`: this program, what it runs on, and the k6 that it would start, each with its license. Nothing is built. */
export async function verboseVersion(): Promise<string> {
  const lines = [
    `ers-harness ${packageVersion()}: MIT, https://github.com/ers-harness/ers-harness`,
    `node ${process.version} on ${platform()} ${arch()}`,
  ];
  try {
    const { version, path, sha256 } = await findK6({ build: false });
    const { spdx, source } = k6License(version);
    lines.push(
      `k6 ${version}: ${spdx}, a program of its own that is run unmodified; source: ${source}`,
      `  ${path}, SHA-256 ${sha256}, ${originOf(sha256) ?? 'of an origin that this version does not know'}`,
    );
  } catch (fault) {
    const { spdx, source } = k6License(pinnedVersion(packageRoot()));
    lines.push(`k6: ${messageOf(fault)}; it is a program of its own: ${spdx}, source: ${source}`);
  }
  return lines.join('\n');
}

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
