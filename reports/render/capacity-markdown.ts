import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { capacityDocument } from '../capacity/document.ts';
import { plain, sectionMarkdown } from './markdown-blocks.ts';

/** `capacity.md`: the same statement for a ticket or a wiki. Null where no capacity was looked for. */
export function renderCapacityMarkdown(report: Report): string | null {
  const document = capacityDocument(inert(report));
  if (document === null) return null;
  const { title, lead, question, sections } = document;
  const chapters = sections.map((one) => sectionMarkdown(one, '##'));
  return `${[`# ${title}`, plain(lead), plain(question), ...chapters].join('\n\n')}\n`;
}
