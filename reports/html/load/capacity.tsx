import { loadCellName } from '../../../lib/judge/cell/judge-load.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import type { CapacityAnswer } from '../../../lib/records/load/capacity.ts';
import type { Report } from '../../../lib/records/report.ts';
import { ms, rate } from '../../../lib/text.ts';
import { SearchCurve } from '../../charts/search-curve.tsx';
import { capacitySection } from '../../summary/sections.ts';
import { Blocks } from '../page/document.tsx';
import { Section, Table } from '../page/parts.tsx';
import { CellDetails } from './cell-details.tsx';

const rateOrNone = (value: number | null): string => (value === null ? '—' : rate(value));

/** A percentile with few samples above it says more of chance than of the target. */
const starred = ({ responseP99Ms, fewSamples }: CapacityAnswer['rates'][number]): string =>
  `${ms(responseP99Ms)}${fewSamples?.includes('p99') && responseP99Ms !== null ? ' *' : ''}`;

function RateTable({ answer }: { answer: CapacityAnswer }) {
  return (
    <Table
      caption={
        'Steps by offered rate: how many held, did not, or proved nothing. Times are those of the last valid step. A star marks a percentile with fewer ' +
        'than 100 samples above it. "Not served": so many arrivals got no connection or no success that the percentile falls among them.'
      }
      rows={answer.rates}
      columns={[
        ['Offered /s', ({ ratePerSecond }) => rate(ratePerSecond), 'figures'],
        ['Steps held', ({ held }) => held, 'figures'],
        ['did not', ({ failed }) => failed, 'figures'],
        ['invalid', ({ invalid }) => invalid, 'figures'],
        ['Achieved /s', ({ achievedPerSecond }) => rate(achievedPerSecond), 'figures'],
        ['Slow target did /s', ({ carriedPerSecond }) => rateOrNone(carriedPerSecond), 'figures'],
        ['Service p50 ms', ({ serviceP50Ms }) => ms(serviceP50Ms), 'figures'],
        ['Response p50 ms', ({ responseP50Ms }) => ms(responseP50Ms), 'figures'],
        ['Response p99 ms', starred, 'figures'],
      ]}
    />
  );
}

function Search({ answer, report }: { answer: CapacityAnswer; report: Report }) {
  const own = (report.capacity?.steps ?? []).filter((step) => loadCellName(step) === loadCellName(answer));
  return (
    <>
      <h3>{loadCellName(answer)}</h3>
      <div class="charts">
        <SearchCurve answer={answer} />
      </div>
      <RateTable answer={answer} />
      <details class="card">
        <summary>All {own.length} steps, with rules and charts</summary>
        {own.map((cell) => (
          <CellDetails cell={cell} target={report.run.target} />
        ))}
      </details>
    </>
  );
}

export function Capacity({ report }: { report: Report }) {
  const { capacity } = report;
  if (capacity === undefined) return null;
  return (
    <Section id="capacity" title="Capacity">
      {capacity.answers.length === 0 && <p>No step was run.</p>}
      {capacitySection(report).map(({ blocks }) => (
        <Blocks blocks={blocks} />
      ))}
      {capacity.answers.map((answer) => (
        <Search answer={answer} report={report} />
      ))}
      {capacity.answers.length > 0 && (
        <p class="small soft">
          The figures are those of this generator and of these numbers of connections. The{' '}
          <a href={FILES.capacityHtml}>statement for a change board</a> has the recovery from an overload, and what was
          not measured.
        </p>
      )}
    </Section>
  );
}
