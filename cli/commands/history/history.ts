import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { defined } from '../../../lib/defined.ts';
import { messageOf, UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { option, text } from '../../../lib/option.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { visibleText } from '../../../lib/text.ts';
import { mergeIntoHistory, readHistory } from '../../../reports/history/file/append.ts';
import { type FailOn, failures, historyReport, readFailOn } from '../../../reports/history/model/history-report.ts';
import type { HistoryReport } from '../../../reports/history/model/schema.ts';
import { answerOf, renderHistoryMarkdown, toldOf } from '../../../reports/history/pages/lines.ts';
import { renderHistoryHtml } from '../../../reports/history/pages/page.tsx';
import type { HistoryLine } from '../../../reports/history/record/line.ts';
import { lineOf } from '../../../reports/history/record/line-of.ts';
import { documentLines } from '../../../reports/render/markdown-blocks.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bindLocal } from '../../options/bind.ts';
import { RUNS_FOLDER } from '../../options/runs.ts';
import { JsonSpec } from '../../options/specs.ts';
import { createOutput, type Output, writing } from '../../output/output.ts';
import { HISTORY_FILE, nameBeside } from '../../session/finish.ts';
import { readRun } from '../../session/judged-again.ts';

const DAY_MS = 86_400_000;

/** A day (2026-01-31), or a number of days before now (90d), as ISO text; anything else as it is. */
function momentOf(given: unknown): unknown {
  const days = /^(\d{1,5})d$/.exec(String(given))?.[1];
  if (days !== undefined) return new Date(Date.now() - Number(days) * DAY_MS).toISOString();
  const moment = Date.parse(String(given));
  return /^\d{4}-\d\d-\d\d/.test(String(given)) && !Number.isNaN(moment) ? new Date(moment).toISOString() : given;
}

const since = z.preprocess(
  momentOf,
  z.iso.datetime({ error: 'expected a day such as 2026-01-31, or a number of days such as 90d' }),
);

const failOn = z.preprocess(
  (given) => (typeof given === 'string' ? readFailOn(given) : given),
  z.custom<FailOn>((read) => typeof read === 'object' && read !== null, {
    error: 'expected a list of new, worse and flaky>5%',
  }),
);

const HistoryCommandSpec = z.object({
  since: option(
    '--since <day|days>',
    'only runs from this day on (2026-01-31), or of the last days (90d)',
    since.optional(),
  ),
  failOn: option('--fail-on <list>', 'exit 1 on new, worse or flaky>5%, joined by commas', failOn.optional()),
  target: option('--target <text>', 'target whose name holds the text', text().optional(), {
    otherwise: 'that of the newest line',
  }),
  out: option('--out <dir>', 'folder for the page and the Markdown', text().optional(), {
    otherwise: 'the folder of the history',
  }),
  ...JsonSpec.shape,
});
type HistoryCommandSpec = z.output<typeof HistoryCommandSpec>;

const FilesSpec = z.object({
  history: option('--history <file>', 'history file to add them to', text().default(join(RUNS_FOLDER, HISTORY_FILE))),
});
type FilesOptions = z.output<typeof FilesSpec>;

function addTo(history: string, lines: readonly HistoryLine[], output: Output): void {
  const added = mergeIntoHistory(history, lines);
  output.warn(
    `${history}: ${added} of ${lines.length} runs added${added === lines.length ? '' : '; the others were already there'}`,
  );
}

/** Adds runs made before. A folder that is no run is said and left out; exit 3 where there are any. */
function importRuns(folders: readonly string[], { history }: FilesOptions): void {
  const output = createOutput({});
  const found: HistoryLine[] = [];
  let failed = 0;
  for (const folder of folders) {
    // `runs/*` also names the history, its pages and the link to the newest run.
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) continue;
    try {
      found.push(lineOf(renderRun(readRun(folder)).report, nameBeside(history, folder)));
    } catch (fault) {
      failed += 1;
      output.warn(visibleText(`left out: ${folder}: ${messageOf(fault)}`));
    }
  }
  addTo(history, found, output);
  process.exitCode = failed === 0 ? EXIT.ok : EXIT.untested;
}

function merge(files: readonly string[], { history }: FilesOptions): void {
  const output = createOutput({});
  const read = files.map(readHistory);
  const lines = read.flatMap((one) => one.lines);
  for (const line of read.flatMap(({ skipped }) => skipped)) output.warn(`not used: ${line}`);
  addTo(history, lines, output);
}

const MOST = 8;

function notUsed({ skipped }: HistoryReport, output: Output): void {
  for (const line of skipped.slice(0, MOST)) output.result(`not used: ${line}`);
}

/** Run folders beside the history that still hold a report: the page links those. */
function keptFolders(report: HistoryReport, folder: string): ReadonlySet<string> {
  const names = report.nights.flatMap(({ folder: name }) => (name === undefined ? [] : [name]));
  const plain = names.filter((name) => name === basename(name) && !['', '.', '..'].includes(name));
  return new Set(plain.filter((name) => existsSync(join(folder, name, 'index.html'))));
}

function write(report: HistoryReport, file: string, out: string | undefined): string {
  const folder = out ?? dirname(file);
  const kept = resolve(folder) === resolve(dirname(file)) ? keptFolders(report, folder) : new Set<string>();
  const name = basename(file, extname(file));
  writing(folder, '--out', () => {
    makeFolder(folder);
    writeWhole(join(folder, `${name}.html`), renderHistoryHtml(report, kept));
    writeWhole(join(folder, `${name}.md`), renderHistoryMarkdown(report));
  });
  return join(folder, `${name}.html`);
}

function history(file: string, options: HistoryCommandSpec): void {
  const output = createOutput(options);
  const { since, target } = options;
  const report = historyReport(readHistory(file), defined({ since, target }));
  if (report.nights.length === 0) {
    notUsed(report, output);
    throw new UsageError('no-nights', `${file} has no run of that target and period`, {
      hint: `targets in the file: ${report.otherTargets.join(', ') || 'none'}`,
    });
  }
  const page = write(report, file, options.out);
  if (options.json) output.data(JSON.stringify(report));
  const { word, lines } = answerOf(report);
  output.result(visibleText(`history of ${report.target}: ${word}`));
  for (const line of lines) output.result(visibleText(`  ${line}`));
  for (const line of documentLines(toldOf(report, MOST))) output.result(visibleText(line));
  notUsed(report, output);
  output.result(`page: ${page}`);
  const failed = options.failOn === undefined ? [] : failures(report, options.failOn);
  for (const line of failed) output.result(visibleText(`--fail-on: ${line}`));
  process.exitCode = failed.length === 0 ? EXIT.ok : EXIT.failed;
}

export function historyCommand(program: Command): void {
  const command = program.command('history').argument('[file]', 'history file', join(RUNS_FOLDER, HISTORY_FILE));
  bindLocal(command, HistoryCommandSpec, history, {
    does: 'show what fails since when, what is flaky and what got slower; write a page',
    examples: ['history', 'history runs/history.ndjson --since 90d --fail-on "new,worse,flaky>5%"'],
  });
  const importing = command.command('import').argument('<dirs...>', 'run folders, such as runs/*');
  bindLocal(importing, FilesSpec, importRuns, { does: 'add earlier runs to the history, each once' });
  const merging = command.command('merge').argument('<files...>', 'history files, such as those of several CI jobs');
  bindLocal(merging, FilesSpec, merge, { does: 'merge histories, each run once' });
}
