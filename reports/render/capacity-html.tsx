import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { capacityDocument } from '../capacity/document.ts';
import { CapacityPage } from '../html/capacity/page.tsx';

/** `capacity.html`: the statement for a change board, one file without network or script. Null where no capacity was looked for. */
export function renderCapacityHtml(report: Report): string | null {
  const safe = inert(report);
  const document = capacityDocument(safe);
  if (document === null) return null;
  const page = <CapacityPage document={document} answers={safe.capacity?.answers ?? []} />;
  return `<!doctype html>\n${page.toString()}\n`;
}
