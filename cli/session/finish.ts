import { join } from 'node:path';
import { messageOf, ResidueError } from '../../lib/errors.ts';
import { CAUSES } from '../../lib/judge/conformance/failure-reasons.ts';
import { FILES } from '../../lib/records/folder/files.ts';
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

type FinishOptions = Pick<OutputSpec, 'json'> & Partial<RedactSpec> & Partial<HistorySpec> & { readonly brief?: true };

/**
 * Ends a run: last record, then judge and render what the folder holds, then the summary and the exit code. Returns the report.
 * `brief` leaves the summary to the caller. With `--redact share` reports without addresses and host names are written beside it, and are what goes to standard output.
 */
export function finish(session: RunSession, options: FinishOptions, output: Output): Report {
  try {
    return written(session, options, output);
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

function written(session: RunSession, options: FinishOptions, output: Output): Report {
  session.end();
  const { folder } = session.writer;
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
        ...summaryLines(report, folder, output.resultPaint, ({ about }) => about === CAUSES),
      ];
  for (const line of lines) output.result(line);
  if (options.brief !== true) for (const text of annotations(report, records.exchanges)) output.annotate(text);
  session.nameLatest();
  session.live?.end(report, join(folder, FILES.html));
  process.exitCode = report.exit.code;
  return report;
}
