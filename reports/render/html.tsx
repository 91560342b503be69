import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { Page } from '../html/page/page.tsx';

/** Longest body or value that the page shows; the records hold more. */
const BODY_LIMIT = 4_000;

/** `index.html`: one file, without network, readable without JavaScript. */
export function renderHtml(report: Report, exchanges: readonly ExchangeRecord[]): string {
  const named = new Set(
    report.conformance?.results.flatMap(({ evidence, retry }) => [...evidence, ...(retry?.evidence ?? [])]),
  );
  const evidence = exchanges.filter(({ id }) => named.has(id));
  const page = <Page report={inert(report, BODY_LIMIT)} exchanges={inert(evidence, BODY_LIMIT)} />;
  return `<!doctype html>\n${page.toString()}\n`;
}
