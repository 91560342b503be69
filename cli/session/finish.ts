import { join } from 'node:path';
import { FILES } from '../../lib/records/folder/files.ts';
import { closeSegments } from '../../lib/records/merge/segment-folders.ts';
import type { Report } from '../../lib/records/report.ts';
import { renderRun } from '../../reports/render-run.ts';
import type { HistorySpec, OutputSpec, RedactSpec } from '../options/output-spec.ts';
import { annotations, failureLines } from '../output/failures.ts';
import type { Output } from '../output/output.ts';
import { summaryLines } from '../output/summary.ts';
import { addToHistory } from '../stages/history.ts';
import { readRun } from './judged-again.ts';
import type { RunSession } from './run-session.ts';
import { renderShared, SHARE_FOLDER, writeReports } from './share.ts';

/**
 * Ends a run: last record, then judge and render what the folder holds, then the summary and the exit code. Returns the report.
 * `brief` leaves the summary to the caller. With `--redact share` reports without addresses and host names are written beside it, and are what goes to standard output.
 */
export function finish(
  session: RunSession,
  options: Pick<OutputSpec, 'json'> & Partial<RedactSpec> & Partial<HistorySpec> & { readonly brief?: true },
  output: Output,
): Report {
  session.end();
  session.writer.close();
  const { folder } = session.writer;
  closeSegments(folder);
  const records = readRun(folder);
  const { report, files } = renderRun(records);
  for (const { name, content } of files) session.writer.file(name, content);
  const shared = options.redact === undefined ? undefined : renderShared({ report, exchanges: records.exchanges });
  if (shared !== undefined) writeReports(join(folder, SHARE_FOLDER), shared.files);
  if (options.json) {
    output.data((shared?.files ?? files).find(({ name }) => name === FILES.report)?.content ?? '');
  }
  addToHistory(report, folder, options, output);
  if (shared !== undefined) output.result(`to share: ${join(folder, SHARE_FOLDER, FILES.html)}`);
  const lines = options.brief
    ? [`report: ${join(folder, FILES.html)}`]
    : [
        ...failureLines(report, records.exchanges, output.resultPaint),
        ...summaryLines(report, folder, output.resultPaint),
      ];
  for (const line of lines) output.result(line);
  if (options.brief !== true) for (const text of annotations(report, records.exchanges)) output.annotate(text);
  session.nameLatest();
  process.exitCode = report.exit.code;
  return report;
}
