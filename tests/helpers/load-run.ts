import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from '../../lib/records/report.ts';
import { runCli, type ServedDeployment, serveCli } from './cli.ts';

/** Runs one apply cell against a deployment with faults, records it in a folder of its own beside the given one, and gives its report. */
export async function loadAgainst(
  beside: string,
  faults: readonly string[],
  args: readonly string[],
  onLine?: Parameters<typeof runCli>[1],
) {
  // A second try needs a folder of its own.
  const out = join(mkdtempSync(`${beside}-`), 'run');
  const served: ServedDeployment = await serveCli([
    '--sessions',
    '9000',
    ...faults.flatMap((fault) => ['--fault', fault]),
  ]);
  const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? ''];
  const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--out', out];
  const { code, stderr } = await runCli(['load', '--base-url', served.baseUrl, ...cell, ...pool, ...args], {
    env: served.env,
    ...onLine,
  });
  await served.close();
  const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
  const found = report.load?.cells[0];
  if (found === undefined) throw new Error(`no cell in the report\n${stderr}`);
  return { out, code, stderr, report, cell: found };
}
