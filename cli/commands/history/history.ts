import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readHistory } from '../../../history/file/read.ts';
import { failures } from '../../../history/model/fail-on.ts';
import { historyReport } from '../../../history/model/history-report.ts';
import type { HistoryReport } from '../../../history/model/schema.ts';
import { answerOf } from '../../../history/pages/answer.ts';
import { renderHistoryCtrf } from '../../../history/pages/ctrf.ts';
import { type Entry, renderHistoryMarkdown, toldOf } from '../../../history/pages/lines.ts';
import { renderHistoryHtml } from '../../../history/pages/page.tsx';
import { defined } from '../../../lib/defined.ts';
import { UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { visibleText } from '../../../lib/text.ts';
import { bindLocal } from '../../options/bind.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { writing } from '../../output/writing.ts';
import { HISTORY_FILE } from '../../stages/history.ts';
import { historyImportCommand, historyMergeCommand } from './files.ts';
import { HistoryCommandSpec } from './spec.ts';

/** Lines of each kind that the terminal shows. */
const MOST = 8;

function listed(output: Output, title: string, entries: readonly Entry[]): void {
  const lines = entries.map((entry) => entry.join(''));
  if (lines.length === 0) return;
  output.result(`${title}:`);
  for (const line of lines.slice(0, MOST)) output.result(visibleText(`  ${line}`));
  if (lines.length > MOST) output.result(`  and ${lines.length - MOST} more`);
}

function summary(report: HistoryReport, output: Output): void {
  const { word, lines } = answerOf(report);
  output.result(visibleText(`history of ${report.target}: ${word}`));
  for (const line of lines) output.result(visibleText(`  ${line}`));
  for (const [title, entries] of toldOf(report)) listed(output, title, entries);
  for (const line of report.skipped.slice(0, MOST)) output.result(`not used: ${line}`);
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
  const { since, target, cell, cause } = options;
  const read = readHistory(file);
  const report = historyReport(read, defined({ since, target, cell, cause }));
  if (report.nights.length === 0) {
    throw new UsageError('no-nights', `${file} has no run of that target and period`, {
      hint: `targets in the file: ${report.otherTargets.join(', ') || 'none'}`,
    });
  }
  const page = write(report, file, options.out);
  if (options.ctrf !== undefined) {
    const into = options.ctrf;
    writing(into, '--ctrf', () => writeWhole(into, renderHistoryCtrf(read, defined({ since, target }))));
  }
  if (options.json) output.data(JSON.stringify(report));
  summary(report, output);
  output.result(`page: ${page}`);
  const failed = options.failOn === undefined ? [] : failures(report, options.failOn);
  for (const line of failed) output.result(visibleText(`--fail-on: ${line}`));
  process.exitCode = failed.length === 0 ? EXIT.ok : EXIT.failed;
}

/** `ers-harness history`: what the runs of many nights say together. */
export function historyCommand(program: Command): void {
  const command = program
    .command('history')
    .argument('[file]', 'history file', join('runs', HISTORY_FILE))
    .description('show what fails since when, what is flaky and what got slower; write a page')
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness history\n  ers-harness history runs/history.ndjson --since 90d --fail-on "new,worse,flaky>5%"',
    );
  bindLocal<typeof HistoryCommandSpec, [string]>(command, HistoryCommandSpec, history);
  historyImportCommand(command);
  historyMergeCommand(command);
}
