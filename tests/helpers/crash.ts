import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReferenceServer } from '../../reference/server.ts';
import { type CliResult, runCli } from './cli.ts';
import { targetPrint } from './target-print.ts';

/** What came of one run that was killed, and of the sweep after it. */
export interface Crash {
  /** Lines of the journal when the run was killed; it may have been over before. */
  readonly journaled: number;
  readonly killed: boolean;
  readonly left: boolean;
  readonly sweep: CliResult;
  /** The deployment lists what it listed before the run. */
  readonly restored: boolean;
}

const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

/** Starts a run in full mode, kills it outright once its journal has so many lines, and sweeps after it. */
export async function crashAndSweep(
  server: ReferenceServer,
  run: { readonly out: string; readonly atLine: number; readonly families?: string },
): Promise<Crash> {
  const env = { ERS_USERNAME: server.username, ERS_PASSWORD: server.password };
  const base = ['--base-url', server.baseUrl];
  const before = await targetPrint(server);
  const journal = join(run.out, 'records/journal.ndjson');
  let poll: NodeJS.Timeout | undefined;
  const pool = ['--endpoints', server.endpoints, '--policy', server.policies[0] ?? ''];
  const full = ['--mode', 'full', ...pool];
  const families = run.families === undefined ? [] : ['--family', run.families];
  const { code } = await runCli(['conformance', ...base, ...full, ...families, '--out', run.out], {
    env,
    onLine: (_line, child) => {
      poll ??= setInterval(() => {
        if (linesIn(journal) >= run.atLine) child.kill('SIGKILL');
      }, 5);
    },
  });
  clearInterval(poll);
  const journaled = linesIn(journal);
  const left = (await targetPrint(server)) !== before;
  const sweep = await runCli(['sweep', ...base, ...pool, '--journal', run.out], { env });
  return { journaled, killed: code === null, left, sweep, restored: (await targetPrint(server)) === before };
}
