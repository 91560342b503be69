import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { mergeIntoHistory } from '../../../history/file/append.ts';
import { readHistory } from '../../../history/file/read.ts';
import type { HistoryLine } from '../../../history/record/line.ts';
import { lineOf } from '../../../history/record/line-of.ts';
import { messageOf } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { visibleText } from '../../../lib/text.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { bindLocal } from '../../options/bind.ts';
import { createOutput } from '../../output/output.ts';
import { readRun } from '../../session/judged-again.ts';
import { HISTORY_FILE, nameBeside } from '../../stages/history.ts';

const FilesSpec = z.object({
  history: option('--history <file>', 'history file to add them to', text().default(join('runs', HISTORY_FILE))),
});
type FilesOptions = z.output<typeof FilesSpec>;

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
  const added = mergeIntoHistory(history, found);
  output.warn(`${history}: ${added} of ${found.length} runs added; the others were already there`);
  process.exitCode = failed === 0 ? EXIT.ok : EXIT.untested;
}

function merge(files: readonly string[], { history }: FilesOptions): void {
  const output = createOutput({});
  const read = files.map(readHistory);
  const lines = read.flatMap((one) => one.lines);
  for (const line of read.flatMap(({ skipped }) => skipped)) output.warn(`not used: ${line}`);
  const added = mergeIntoHistory(history, lines);
  output.warn(`${history}: ${added} of ${lines.length} runs added; the others were already there`);
}

/** `ers-harness history import DIR...`: takes runs made before. */
export function historyImportCommand(history: Command): void {
  const command = history
    .command('import')
    .argument('<dirs...>', 'run folders, such as runs/*')
    .description('add earlier runs to the history, each once');
  bindLocal<typeof FilesSpec, [string[]]>(command, FilesSpec, importRuns);
}

/** `ers-harness history merge FILE...`: one history of several. */
export function historyMergeCommand(history: Command): void {
  const command = history
    .command('merge')
    .argument('<files...>', 'history files, such as those of several CI jobs')
    .description('merge histories, each run once');
  bindLocal<typeof FilesSpec, [string[]]>(command, FilesSpec, merge);
}
