import type { Child } from 'hono/jsx';
import { statementText } from '../../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { inert } from '../../../lib/text.ts';
import { Causes } from '../conformance/causes.tsx';
import { Counts } from '../conformance/counts.tsx';
import { Findings } from '../conformance/findings.tsx';
import { Coverage, NotTestable, Pairs } from '../conformance/gaps.tsx';
import { MatrixTable } from '../conformance/matrix.tsx';
import { ResultsTable } from '../conformance/results-table.tsx';
import { BaselineTable, DialectTable, Requirements } from '../conformance/tables.tsx';
import { Capacity } from '../load/capacity.tsx';
import { Load } from '../load/load.tsx';
import { Banner, RunFacts } from './banner.tsx';
import { Cleanup } from './cleanup.tsx';
import { Sprite } from './mark.tsx';
import { Method } from './notes.tsx';
import { Lines } from './parts.tsx';
import { SCRIPT } from './script.ts';
import { pageText } from './shell.tsx';

type Part = (given: { report: Report; exchanges: readonly ExchangeRecord[] }) => Child;

/** The parts of the page in their order, with their words in the menu; a part of which this run has nothing is null. */
const PARTS: readonly (readonly [anchor: string, words: string, Part])[] = [
  ['load', 'Load', Load],
  ['capacity', 'Capacity', Capacity],
  ['causes', 'Causes', Causes],
  ['baseline', 'Expected failures', BaselineTable],
  ['counts', 'Results', Counts],
  ['matrix', 'Families', MatrixTable],
  ['pairs', 'Pairs of conditions', Pairs],
  ['findings', 'Findings', Findings],
  ['not-testable', 'Not testable', NotTestable],
  ['coverage', 'Coverage', Coverage],
  ['requirements', 'Requirements', Requirements],
  ['dialect', 'Dialect', DialectTable],
  ['results', 'All results', ResultsTable],
  ['cleanup', 'Cleanup', Cleanup],
  ['method', 'Method', Method],
  ['run', 'The run', RunFacts],
];

/** Longest body or value that the page shows; the records hold more. */
const BODY_LIMIT = 4_000;

/** `index.html`: one file, without network, readable without JavaScript. */
export function renderHtml(judged: Report, recorded: readonly ExchangeRecord[]): string {
  const named = new Set(
    judged.conformance?.results.flatMap(({ evidence, retry }) => [...evidence, ...(retry?.evidence ?? [])]),
  );
  const report = inert(judged, BODY_LIMIT);
  const exchanges = inert(
    recorded.filter(({ id }) => named.has(id)),
    BODY_LIMIT,
  );
  const { run, answer, exit } = report;
  const parts = PARTS.map(([anchor, words, part]) => ({ anchor, words, shown: part({ report, exchanges }) }));
  const there = parts.filter(({ shown }) => shown !== null);
  return pageText({
    title: `${statementText(answer.sentence)} · ${run.runId}`,
    script: SCRIPT,
    top: (
      <>
        <Sprite />
        <Banner report={report} />
        <nav class="page" aria-label="Parts of the report">
          <Lines class="in" lines={there.map(({ anchor, words }) => <a href={`#${anchor}`}>{words}</a>)} />
        </nav>
      </>
    ),
    footer: `${run.tool.name} ${run.tool.version} · run ${run.runId} · exit ${exit.code} · this page loads nothing and sends nothing`,
    children: there.map(({ shown }) => shown),
  });
}
