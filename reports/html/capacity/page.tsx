import { raw } from 'hono/html';
import type { CapacityAnswer } from '../../../lib/records/load/capacity.ts';
import type { Block, Line, Section } from '../../capacity/block.ts';
import type { CapacityDocument } from '../../capacity/document.ts';
import { ConnectionCurve } from '../../charts/connection-curve.tsx';
import { LoadCurve } from '../../charts/load-curve.tsx';
import { STYLE } from '../page/style.ts';

/** Nothing may be loaded, sent, framed or run. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** What this page has beyond the report: an answer in large type, facts in two columns, and charts in black on paper. */
const OWN_STYLE = `
.paper{max-width:900px}.said{font-size:19px;line-height:1.45;margin:6px 0 12px;padding:12px 16px;border:1px solid var(--line);border-left:6px solid var(--ink)}
.pairs{display:grid;grid-template-columns:170px 1fr;gap:4px 16px;margin:8px 0}.pairs dt{color:var(--soft)}.pairs dd{margin:0;overflow-wrap:anywhere}
svg.chart .b.plain{stroke-dasharray:none}
@media (max-width:600px){.pairs{grid-template-columns:1fr}.pairs dd{margin-bottom:6px}}
@media print{:root{--s1:#000;--s2:#000}.said{font-size:14px}.paper main>section{break-inside:avoid-page}.pairs{grid-template-columns:120px 1fr}.paper table{font-size:9px}.paper caption,.paper figcaption{font-size:9.5px}svg.chart .limit{stroke:#000}.paper figure{max-width:640px}}
`;

function Words({ line }: { line: Line }) {
  return (
    <>
      {line.map((piece) => {
        if (typeof piece === 'string') return piece;
        const text = piece.strong === true ? <strong>{piece.text}</strong> : piece.text;
        return piece.href === undefined ? text : <a href={piece.href}>{text}</a>;
      })}
    </>
  );
}

function Table({ block }: { block: Extract<Block, { kind: 'table' }> }) {
  return (
    <div class="wide" tabindex={0}>
      <table>
        <caption>{block.caption}</caption>
        <thead>
          <tr>
            {block.head.map((word) => (
              <th scope="col">{word}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map(([first = [], ...others]) => (
            <tr>
              <th scope="row">
                <Words line={first} />
              </th>
              {others.map((line) => (
                <td>
                  <Words line={line} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Part({ block, answers }: { block: Block; answers: readonly CapacityAnswer[] }) {
  if (block.kind === 'text') {
    return (
      <p class={block.answer === true ? 'said' : ''}>
        <Words line={block.line} />
      </p>
    );
  }
  if (block.kind === 'command') return <pre>{block.text}</pre>;
  if (block.kind === 'table') return <Table block={block} />;
  if (block.kind === 'list') {
    return (
      <ul>
        {block.lines.map((line) => (
          <li>
            <Words line={line} />
          </li>
        ))}
      </ul>
    );
  }
  if (block.kind === 'facts') {
    return (
      <dl class="pairs">
        {block.rows.map(([name, line]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <Words line={line} />
            </dd>
          </>
        ))}
      </dl>
    );
  }
  const answer = answers[block.answer];
  if (answer === undefined) return '';
  return block.kind === 'curve' ? <LoadCurve answer={answer} /> : <ConnectionCurve sweep={answer.sweep} />;
}

function Chapter({ section, answers }: { section: Section; answers: readonly CapacityAnswer[] }) {
  return (
    <section aria-labelledby={section.id}>
      <h2 id={section.id}>{section.title}</h2>
      {section.blocks.map((block) => (
        <Part block={block} answers={answers} />
      ))}
    </section>
  );
}

/** The document as a page that prints to A4. Every text must have been made inert before. */
export function CapacityPage({
  document,
  answers,
}: {
  document: CapacityDocument;
  answers: readonly CapacityAnswer[];
}) {
  const { title, lead, question, sections } = document;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · ${lead}`}</title>
        <style>{raw(STYLE + OWN_STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <div class="in paper">
            <h1>{title}</h1>
            <p class="lead">{lead}</p>
            <p class="title">{question}</p>
          </div>
        </header>
        <div class="paper in">
          <main id="content" tabindex={-1}>
            {sections.map((section) => (
              <Chapter section={section} answers={answers} />
            ))}
          </main>
        </div>
        <footer class="in paper">
          Figures link to their cells in <a href="../index.html">the report</a>. This page loads nothing and sends
          nothing.
        </footer>
      </body>
    </html>
  );
}
