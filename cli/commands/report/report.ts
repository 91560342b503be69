import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { ResultsError, UsageError } from '../../../lib/errors.ts';
import { HEADED } from '../../../lib/judge/answer/answer-of.ts';
import { choice, flag, option, text } from '../../../lib/option.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import { counted } from '../../../lib/text.ts';
import { FORMATS, type Format, renderExport } from '../../../reports/export/files.ts';
import { scriptsOf } from '../../../reports/export/scripts-of.ts';
import { tableOfVerdicts } from '../../../reports/render/markdown-blocks.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bind, bindLocal } from '../../options/bind.ts';
import { listRuns, RUNS_FOLDER, runFolder } from '../../options/runs.ts';
import { JsonSpec, RedactSpec } from '../../options/specs.ts';
import { createOutput, writing } from '../../output/output.ts';
import { paintTone, summaryLines } from '../../output/summary.ts';
import { openInBrowser } from '../../session/browser.ts';
import { renderShared, SHARE_FOLDER, writeReports } from '../../session/finish.ts';
import { readRun } from '../../session/judged-again.ts';
import { reportCompareCommand } from './compare.ts';
import { reportReplayCommand } from './replay.ts';

const NAMES = Object.keys(FORMATS) as [Format, ...Format[]];

const ExportSpec = z.object({
  format: option('--format <format>', `form of the files: ${NAMES.join(', ')}`, choice(NAMES).default('curl')),
  out: option('--out <dir>', 'folder for the files', text().optional(), { otherwise: 'export/ in the run folder' }),
  whole: flag('--whole', 'do all that the run had written before, and not only what the failure needs'),
  ...JsonSpec.shape,
});

/** Places in the pool that a run was given; of a pool that is not there any more, none. */
export function placesOf({ endpoints }: Readonly<Record<string, unknown>>): (address: string) => unknown {
  if (typeof endpoints !== 'string') return () => undefined;
  try {
    return readPool(endpoints, { allowForeign: true }).indexOf;
  } catch {
    return () => undefined;
  }
}

function exportCauses(given: string, { format, whole, json, out: named }: z.output<typeof ExportSpec>): void {
  const output = createOutput({ json });
  const folder = runFolder(given, RUNS_FOLDER);
  const out = named ?? join(folder, 'export');
  const records = readRun(folder);
  const exported = scriptsOf(renderRun(records).report, records, FAMILIES, {
    ...{ everything: whole, placeOf: placesOf(records.header.options) },
  });
  if (named === undefined && lstatSync(out, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new UsageError('export-is-link', `${out} is a link`, { hint: 'use --out to name the folder itself' });
  writing(out, '--out', () => void makeFolder(out));
  const files = renderExport(exported, format);
  for (const { name, content, cause, why } of files) {
    writeWhole(join(out, name), content);
    output.result(
      why === undefined ? `${join(out, name)}: ${cause}` : `no file for ${cause}: ${why} (${join(out, name)})`,
    );
  }
  if (json) output.data(JSON.stringify(files.map(({ name, cause, why }) => ({ file: join(out, name), cause, why }))));
  const made = files.filter(({ why }) => why === undefined).length;
  output.result(`${counted(made, 'file')} for ${counted(exported.length, 'cause')}`);
}

const OpenSpec = z.object({ runs: option('--runs <dir>', 'folder of the runs', text().default(RUNS_FOLDER)) });
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
  const rows = runs.map(({ name, shown }) => {
    if (shown === undefined) return [name, '', '', '', '', 'no report: cut, or under way'];
    const { run, exit, answer } = shown;
    return [name, minute(run.startedAt), run.command, run.target.baseUrl, String(exit.code), HEADED[answer.ending][0]];
  });
  const tones = new Map(Object.values(HEADED));
  const titles = ['run', 'started (UTC)', 'command', 'target', 'exit', 'verdict'];
  for (const line of tableOfVerdicts(titles, rows, (word) =>
    paintTone(tones.get(word) ?? 'open', output.resultPaint)(word),
  ))
    output.result(line);
  output.result(runs.length === 0 ? `no runs in ${options.runs}` : `${counted(runs.length, 'run')} in ${options.runs}`);
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

const RenderSpec = z.object({
  out: option('--out <dir>', 'folder for the reports', text().optional(), { otherwise: 'the run folder' }),
  ...JsonSpec.shape,
  ...RedactSpec.shape,
});

function render(folder: string, options: z.output<typeof RenderSpec>): void {
  const output = createOutput(options);
  const records = readRun(folder);
  const whole = renderRun(records);
  const shared =
    options.redact === undefined ? undefined : renderShared({ report: whole.report, exchanges: records.exchanges });
  const report = shared?.shown.report ?? whole.report;
  // What may be given away never takes the place of what the run wrote.
  const into = options.out ?? (shared === undefined ? folder : join(folder, SHARE_FOLDER));
  writeReports(into, shared?.files ?? whole.files);
  if (options.json) output.data(JSON.stringify(report));
  for (const line of summaryLines(report, into, output.resultPaint)) output.result(line);
  process.exitCode = report.exit.code;
}

export function reportCommand(program: Command): void {
  const report = program.command('report').description('work with the records of runs');
  bind(report.command('render').argument('<dir>', 'run folder, such as runs/latest'), RenderSpec, render, {
    does: 'rebuild the reports of a run from its records, without touching the target',
    examples: ['report render runs/latest', 'report render runs/latest --redact share --out for-the-vendor'],
  });
  reportCompareCommand(report);
  const files = report.command('export').argument('<run>', 'id of the run, or its beginning, or its folder');
  bind(files, ExportSpec, exportCauses, {
    does: 'write a file for each cause of failures that shows it again by itself, without a login in it',
    examples: ['report export runs/latest --format curl --out for-the-vendor'],
  });
  bindLocal(report.command('list'), RunsSpec, list, { does: 'list runs with verdict and exit code, newest last' });
  const opened = report.command('open').argument('[id]', 'run id, its first characters, or its folder', 'latest');
  bindLocal(opened, OpenSpec, open, { does: 'open the report of a run in a browser and print its path' });
  reportReplayCommand(report);
}
