import { claimOf } from '../lib/judge/answer/search.ts';
import { judgeCell } from '../lib/judge/cell/judge-cell.ts';
import { judge } from '../lib/judge/judge.ts';
import type { ExchangeRecord } from '../lib/records/conformance.ts';
import { FILES } from '../lib/records/folder/files.ts';
import type { RunRecords } from '../lib/records/folder/reader.ts';
import type { CapacityReport } from '../lib/records/load/capacity.ts';
import type { CellReport } from '../lib/records/load/load.ts';
import type { Report } from '../lib/records/report.ts';
import { renderHtml } from './html/page/page.tsx';
import { renderCapacity } from './render/capacity.tsx';
import { renderCellsCsv, renderLoadPerformance } from './render/cells-csv.ts';
import { renderCtrf } from './render/ctrf.ts';
import { renderJunit } from './render/junit.ts';
import { renderMarkdown } from './render/markdown.ts';

export interface RenderedFile {
  readonly name: string;
  readonly content: string;
}

/** The last cell that the claim of each search rests on. */
const heldSteps = ({ answers, steps }: CapacityReport): readonly CellReport[] =>
  answers.flatMap((answer) => claimOf(answer, steps).cells.slice(-1));

function loadFiles({ load, capacity }: Report): readonly RenderedFile[] {
  const files = (tries: readonly CellReport[], performance: string) => [
    { name: FILES.cellsCsv, content: renderCellsCsv(tries) },
    { name: FILES.loadPerformance, content: performance },
  ];
  if (capacity !== undefined && capacity.answers.length > 0)
    return files(capacity.steps, renderLoadPerformance(heldSteps(capacity), capacity.answers));
  if (load === null || load.cells.length === 0) return [];
  const refused = (load.notRun ?? []).flatMap(({ cell }) => cell ?? []);
  return files([...load.repeated, ...load.cells, ...refused], renderLoadPerformance(load.cells));
}

/** Every rendering of a judged report; `exchanges` are the evidence its results name. */
export function renderReport(report: Report, exchanges: readonly ExchangeRecord[]): readonly RenderedFile[] {
  return [
    { name: FILES.report, content: `${JSON.stringify(report, null, 2)}\n` },
    { name: FILES.html, content: renderHtml(report, exchanges) },
    { name: FILES.junit, content: renderJunit(report) },
    { name: FILES.ctrf, content: renderCtrf(report) },
    { name: FILES.summary, content: renderMarkdown(report) },
    ...loadFiles(report),
    ...renderCapacity(report),
  ];
}

/** Judges a run and renders it: the same records give the same bytes, on any machine, at any time. */
export function renderRun(records: RunRecords): { readonly report: Report; readonly files: readonly RenderedFile[] } {
  const report = judge(records, judgeCell);
  return { report, files: renderReport(report, records.exchanges) };
}
