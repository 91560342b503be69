import { judgeCell } from '../lib/judge/cell/judge-cell.ts';
import { judge } from '../lib/judge/judge.ts';
import type { ExchangeRecord } from '../lib/records/conformance.ts';
import { FILES } from '../lib/records/folder/files.ts';
import type { RunRecords } from '../lib/records/folder/reader.ts';
import type { Report } from '../lib/records/report.ts';
import { renderHtml } from './html/page/page.tsx';
import { renderCapacity } from './render/capacity.tsx';
import { renderMarkdown } from './render/markdown.ts';
import { renderCtrf, renderJunit } from './render/test-results.ts';

export interface RenderedFile {
  readonly name: string;
  readonly content: string;
}

export function renderReport(report: Report, exchanges: readonly ExchangeRecord[]): readonly RenderedFile[] {
  return [
    { name: FILES.report, content: `${JSON.stringify(report, null, 2)}\n` },
    { name: FILES.html, content: renderHtml(report, exchanges) },
    { name: FILES.junit, content: renderJunit(report) },
    { name: FILES.ctrf, content: renderCtrf(report) },
    { name: FILES.summary, content: renderMarkdown(report) },
    ...renderCapacity(report),
  ];
}

/** Judges a run and renders it: the same records give the same bytes, on any machine, at any time. */
export function renderRun(records: RunRecords): { readonly report: Report; readonly files: readonly RenderedFile[] } {
  const report = judge(records, judgeCell);
  return { report, files: renderReport(report, records.exchanges) };
}
