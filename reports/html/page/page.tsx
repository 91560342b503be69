import type { Child } from 'hono/jsx';
import { statementText } from '../../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { BaselineTable } from '../conformance/baseline.tsx';
import { Causes } from '../conformance/causes.tsx';
import { Counts } from '../conformance/counts.tsx';
import { Coverage } from '../conformance/coverage.tsx';
import { DialectTable } from '../conformance/dialect.tsx';
import { Findings } from '../conformance/findings.tsx';
import { MatrixTable } from '../conformance/matrix.tsx';
import { NotTestable } from '../conformance/not-testable.tsx';
import { Pairs } from '../conformance/pairs.tsx';
import { Requirements } from '../conformance/requirements.tsx';
import { ResultsTable } from '../conformance/results-table.tsx';
import { Capacity } from '../load/capacity.tsx';
import { Load } from '../load/load.tsx';
import { Banner, RunFacts } from './banner.tsx';
import { Cleanup } from './cleanup.tsx';
import { Sprite } from './mark.tsx';
import { Method } from './notes.tsx';
import { Lines } from './parts.tsx';
import { SCRIPT } from './script.ts';
import { Shell } from './shell.tsx';

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

/** The whole page. Every text in `report` and `exchanges` must have been made inert before. */
export function Page(given: { report: Report; exchanges: readonly ExchangeRecord[] }) {
  const { run, answer, exit } = given.report;
  const parts = PARTS.map(([anchor, words, part]) => ({ anchor, words, shown: part(given) }));
  const there = parts.filter(({ shown }) => shown !== null);
  return (
    <Shell
      title={`${statementText(answer.sentence)} · ${run.runId}`}
      script={SCRIPT}
      top={
        <>
          <Sprite />
          <Banner report={given.report} />
          <nav class="page" aria-label="Parts of the report">
            <Lines class="in" lines={there.map(({ anchor, words }) => <a href={`#${anchor}`}>{words}</a>)} />
          </nav>
        </>
      }
      footer={`${run.tool.name} ${run.tool.version} · run ${run.runId} · exit ${exit.code} · this page loads nothing and sends nothing`}
    >
      {there.map(({ shown }) => shown)}
    </Shell>
  );
}
