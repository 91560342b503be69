import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { ResultsError } from '../../../lib/errors.ts';
import { counted } from '../../../lib/numbers.ts';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import { tableOfVerdicts } from '../../../reports/render/document-lines.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bindLocal } from '../../options/bind.ts';
import { JsonSpec } from '../../options/output-spec.ts';
import { listRuns, RUNS_FOLDER, runFolder } from '../../options/runs.ts';
import { createOutput } from '../../output/output.ts';
import { paintVerdict, summaryLines } from '../../output/summary.ts';
import { openInBrowser } from '../../session/browser.ts';
import { readRun } from '../../session/judged-again.ts';

const OpenSpec = z.object({
  runs: option('--runs <dir>', 'folder of the runs', text().default(RUNS_FOLDER)),
});
const RunsSpec = z.object({ ...OpenSpec.shape, ...JsonSpec.shape });
type RunsOptions = z.output<typeof RunsSpec>;

const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ');

function list(options: RunsOptions): void {
  const output = createOutput(options);
  const runs = listRuns(options.runs);
  if (options.json) {
    output.data(JSON.stringify(runs.map(({ name, folder, shown }) => ({ id: name, folder, ...shown }))));
    return;
  }
  const rows = runs.map(({ name, shown }) =>
    shown === undefined
      ? [name, '', '', '', '', 'no report: cut, or under way']
      : [
          ...[name, minute(shown.run.startedAt), shown.run.command, shown.run.target.baseUrl],
          ...[String(shown.exit.code), shown.verdict],
        ],
  );
  const titles = ['run', 'started (UTC)', 'command', 'target', 'exit', 'verdict'];
  for (const line of tableOfVerdicts(titles, rows, (verdict) => paintVerdict(verdict, output.resultPaint)))
    output.result(line);
  output.result(runs.length === 0 ? `no runs in ${options.runs}` : `${counted(runs.length, 'run')} in ${options.runs}`);
}

function show(id: string, options: RunsOptions): void {
  const output = createOutput(options);
  const folder = runFolder(id, options.runs);
  const { report } = renderRun(readRun(folder));
  const { runId, command, startedAt, target, mode } = report.run;
  if (options.json) {
    output.data(JSON.stringify(report));
    return;
  }
  output.result(`${runId}: ${command}, mode ${mode}, of ${minute(startedAt)} UTC, on ${target.baseUrl}`);
  for (const line of summaryLines(report, folder, output.resultPaint)) output.result(line);
}

async function open(id: string, options: z.output<typeof OpenSpec>): Promise<void> {
  const output = createOutput({});
  const page = resolve(runFolder(id, options.runs), FILES.html);
  if (!existsSync(page)) {
    throw new ResultsError('no-report', `${page} does not exist`, { hint: `ers-harness report render ${id}` });
  }
  output.data(page);
  if (!(await openInBrowser(page))) output.say(`no program to open it: set BROWSER, or open ${page} by hand`);
}

/** `ers-harness report list`, `report show <id>`, `report open <id>`: find a run again. */
export function reportRunsCommands(report: Command): void {
  const ofRun = (name: string, description: string) =>
    report
      .command(name)
      .argument('[id]', 'run id, its first characters, or its folder', 'latest')
      .description(description);
  bindLocal(report.command('list').description('list runs with verdict and exit code, newest last'), RunsSpec, list);
  bindLocal<typeof RunsSpec, [string]>(
    ofRun('show', 'print the result of a run again, without touching the target'),
    RunsSpec,
    show,
  );
  bindLocal<typeof OpenSpec, [string]>(
    ofRun('open', 'open the report of a run in a browser and print its path'),
    OpenSpec,
    open,
  );
}
