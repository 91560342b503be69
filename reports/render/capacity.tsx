import { FILES } from '../../lib/records/folder/files.ts';
import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { type CapacityDocument, capacityDocument } from '../capacity/document.ts';
import { Sections } from '../html/page/document.tsx';
import { Top } from '../html/page/parts.tsx';
import { pageText } from '../html/page/shell.tsx';
import { plain, sectionMarkdown } from './markdown-blocks.ts';

/** What this page has beyond the report: an answer in large type, facts in two columns, and charts in black on paper. */
const OWN_STYLE = `
.in{max-width:900px}.said{font-size:19px;line-height:1.45;margin:6px 0 12px;padding:12px 16px;border:1px solid var(--line);border-left:6px solid var(--ink)}
.pairs{display:grid;grid-template-columns:170px 1fr;gap:4px 16px;margin:8px 0}.pairs dt{color:var(--soft)}.pairs dd{margin:0;overflow-wrap:anywhere}
@media (max-width:600px){.pairs{grid-template-columns:1fr}.pairs dd{margin-bottom:6px}}
@media print{:root{--s1:#000;--s2:#000}.said{font-size:14px}main>section{break-inside:avoid-page}.pairs{grid-template-columns:120px 1fr}table{font-size:9px}caption,figcaption{font-size:9.5px}svg.chart .limit{stroke:#000}figure{max-width:640px}}
`;

function renderCapacityHtml({ title, lead, question, sections }: CapacityDocument): string {
  return pageText({
    title: `${title} · ${lead}`,
    style: OWN_STYLE,
    top: (
      <Top>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        <p class="title">{question}</p>
      </Top>
    ),
    footer: (
      <>
        Figures link to their measurements in <a href="../index.html">the report</a>. This page loads nothing and sends
        nothing.
      </>
    ),
    children: <Sections sections={sections} />,
  });
}

/** The statement for a change board: `capacity.html`, one file without network or script, and `capacity.md`; none without a search. */
export function renderCapacity(report: Report) {
  const document = capacityDocument(inert(report));
  if (document === null) return [];
  const { title, lead, question, sections } = document;
  const chapters = sections.map((one) => sectionMarkdown(one, '##'));
  const markdown = `${[`# ${title}`, plain(lead), plain(question), ...chapters].join('\n\n')}\n`;
  return [
    { name: FILES.capacityHtml, content: renderCapacityHtml(document) },
    { name: FILES.capacityMarkdown, content: markdown },
  ];
}
