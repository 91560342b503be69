import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { capacityDocument } from '../capacity/document.ts';
import { CapacityPage } from '../html/capacity/page.tsx';

/** `capacity.html`: the statement for a change board, one file without network or script. Null where no capacity was looked for. */
export function renderCapacityHtml(report: Report): string | null {
  const document = capacityDocument(inert(report));
  return document === null ? null : `<!doctype html>\n${(<CapacityPage document={document} />).toString()}\n`;
}
