import { FILES } from '../lib/records/folder.ts';
import { readRunFolder } from '../lib/records/reader.ts';
import type { Report } from '../lib/records/report.ts';
import { closeSegments } from '../lib/records/segment-folders.ts';
import { renderRun } from '../reports/render-run.ts';
import type { OutputOptions } from './options.ts';
import type { Output } from './output.ts';
import type { RunSession } from './run-session.ts';
import { summaryLines } from './summary.ts';

/** Ends a run: last record, then judge and render what the folder holds, then the summary and the exit code. Returns the report. */
export function finish(session: RunSession, options: OutputOptions, output: Output): Report {
  session.end();
  session.writer.close();
  closeSegments(session.writer.folder);
  const { report, files } = renderRun(readRunFolder(session.writer.folder));
  for (const { name, content } of files) session.writer.file(name, content);
  if (options.json === true) output.data(files.find(({ name }) => name === FILES.report)?.content ?? '');
  for (const line of summaryLines(report, session.writer.folder)) output.warn(line);
  process.exitCode = report.exit.code;
  return report;
}
