import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, ResidueError } from '../../lib/errors.ts';
import { CAUSES } from '../../lib/judge/answer/conformance.ts';
import type { Baseline } from '../../lib/records/baseline.ts';
import { makeFolder, placeIn, writeWhole } from '../../lib/records/folder/disk.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import type { Report } from '../../lib/records/report.ts';
import { type Shown, shareable } from '../../lib/records/share/shareable.ts';
import { appendHistory } from '../../reports/history/file/append.ts';
import { lineOf } from '../../reports/history/record/line-of.ts';
import { type RenderedFile, renderReport, renderRun } from '../../reports/render-run.ts';
import { type HistorySpec, NO_HISTORY, type OutputSpec, type RedactSpec } from '../options/specs.ts';
import { type Output, writing } from '../output/output.ts';
import { annotations, failureLines, summaryLines } from '../output/summary.ts';
import { readRun } from './judged-again.ts';
import type { RunSession } from './run-session.ts';

export const HISTORY_FILE = 'history.ndjson';

/** Folder of a run, by its name below that of the history; undefined if it lies elsewhere. */
export function nameBeside(file: string, folder: string): string | undefined {
  return resolve(dirname(file)) === dirname(resolve(folder)) ? basename(resolve(folder)) : undefined;
}

/** Adds a finished run to its history. A history that cannot be written is said and changes no verdict. */
function addToHistory(report: Report, folder: string, { history }: Partial<HistorySpec>, output: Output): void {
  if (history === NO_HISTORY) return;
  const file = history ?? join(dirname(folder), HISTORY_FILE);
  try {
    const line = lineOf(report, nameBeside(file, folder));
    appendHistory(file, () => [line]);
  } catch (fault) {
    output.warn(`history: the run was not added to ${file}: ${messageOf(fault)}`);
  }
}

/** Folder, within that of a run, of the reports that may be given away. */
export const SHARE_FOLDER = 'share';

const KEY_BYTES = 32;

/** Writes rendered reports into a folder, made if need be. Throws `UsageError` if it cannot be written. */
export function writeReports(folder: string, files: readonly RenderedFile[]): void {
  writing(folder, '--out', () => {
    if (basename(folder) === SHARE_FOLDER) makeFolder(dirname(folder), SHARE_FOLDER);
    else makeFolder(folder);
    for (const { name, content } of files) writeWhole(placeIn(realpathSync(folder), name), content);
  });
}

/** Reports of a judged run that may be given away. The key is made for this once and kept nowhere: nobody can try addresses against it. */
export function renderShared(shown: Shown): { readonly shown: Shown; readonly files: readonly RenderedFile[] } {
  const shared = shareable(shown, randomBytes(KEY_BYTES));
  return { shown: shared, files: renderReport(shared.report, shared.exchanges) };
}

type FinishOptions = Pick<OutputSpec, 'json'> & Partial<RedactSpec> & Partial<HistorySpec> & { readonly brief?: true };

/** Reads what the run showed, and gives the failures that are expected from now on: the run is judged by them. */
type Accept = (report: Report) => Baseline;

/** Ends a run: records, report, summary and exit code. `brief`: the caller sums up; with `--redact share` stdout gets that report. */
export function finish(session: RunSession, options: FinishOptions, output: Output, accept?: Accept): Report {
  try {
    return written(session, options, output, accept);
  } catch (fault) {
    // No record, and no report: what is left is told here, or nowhere.
    const { residue } = session.cleanup();
    for (const { family, id, name, command } of residue)
      output.warn(`left on the target: ${family} ${id}${name === undefined ? '' : ` (${name})`}; ${command}`);
    if (residue.length === 0) throw fault;
    throw new ResidueError('not-recorded', `the records of the run could not be written: ${messageOf(fault)}`, {
      cause: fault,
      hint: 'make room on the disk; `ers-harness sweep --journal` looks at what the run had written down',
    });
  }
}

function judged({ writer }: RunSession) {
  const records = readRun(writer.folder);
  const { report, files } = renderRun(records);
  for (const { name, content } of files) writer.file(name, content);
  return { records, report, files };
}

function written(session: RunSession, options: FinishOptions, output: Output, accept?: Accept): Report {
  session.end();
  const { folder } = session.writer;
  const seen = judged(session);
  // What is accepted is shown once more, as the failure that it is.
  const failures = failureLines(seen.report, seen.records.exchanges, output.resultPaint);
  const annotated = annotations(seen.report, seen.records.exchanges);
  if (accept !== undefined) session.writer.baseline(accept(seen.report));
  const { records, report, files } = accept === undefined ? seen : judged(session);
  const shared = options.redact === undefined ? undefined : renderShared({ report, exchanges: records.exchanges });
  if (shared !== undefined) writeReports(join(folder, SHARE_FOLDER), shared.files);
  if (options.json) {
    output.data((shared?.files ?? files).find(({ name }) => name === FILES.report)?.content ?? '');
  }
  addToHistory(report, folder, options, output);
  if (shared !== undefined) output.result(`to share: ${join(folder, SHARE_FOLDER, FILES.html)}`);
  const lines = options.brief
    ? [`report: ${join(folder, FILES.html)}`]
    : [...failures, ...summaryLines(report, folder, output.resultPaint, ({ about }) => about === CAUSES)];
  for (const line of lines) output.result(line);
  if (options.brief !== true) for (const text of annotated) output.annotate(text);
  session.nameLatest();
  session.live?.end(report, join(folder, FILES.html));
  process.exitCode = report.exit.code;
  return report;
}
