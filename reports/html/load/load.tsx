import { metWords, notRunWords } from '../../../lib/judge/cell/judge-load.ts';
import { loadCellName } from '../../../lib/judge/cell/name.ts';
import { count, ms, percent, rate } from '../../../lib/numbers.ts';
import type { CellReport, Latency } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Legend, Mark } from '../page/mark.tsx';
import { Head, Lines, Section, Wide } from '../page/parts.tsx';
import { CellDetails, cellAnchor } from './cell-details.tsx';

const PERCENTILES = [
  ['p50', 'p50Ms'],
  ['p90', 'p90Ms'],
  ['p95', 'p95Ms'],
  ['p99', 'p99Ms'],
  ['p999', 'p999Ms'],
] as const;

const HEAD: readonly string[] = [
  ...['Verdict', 'Measurement', 'Scheduled', 'Started', 'Dropped', 'Failed', 'Scheduled /s', 'Achieved /s'],
  ...['Clock', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max', 'Lag p99', 'CPU'],
];
const TEXTS: ReadonlySet<string> = new Set(['Verdict', 'Measurement', 'Clock']);
const TONES = { met: '', violated: 'bad', invalid: 'open' } as const;

function Times({ words, latency }: { words: string; latency: Latency }) {
  return (
    <>
      <th scope="row">{words}</th>
      {PERCENTILES.map(([name, member]) => {
        const [low, high] = latency.intervals[name] ?? [null, null];
        const few = latency.fewSamples.includes(name);
        const short = latency.windowTooShort?.includes(name) === true;
        const interval = short ? 'window too short for an interval' : `95 % interval ${ms(low)} to ${ms(high)} ms`;
        return (
          <td class="num" title={`${interval}${few ? '; fewer than 100 samples above it' : ''}`}>
            {latency[member] === null ? '—' : ms(latency[member])}
            {few && latency[member] !== null ? <sup title="fewer than 100 samples above it">*</sup> : ''}
          </td>
        );
      })}
      <td class="num">
        {latency.maxMs === null && latency.unserved > 0 ? '—' : ms(latency.maxMs)}
        {latency.unserved > 0 ? <sup title={`${count(latency.unserved)} arrivals were not served`}>†</sup> : ''}
      </td>
    </>
  );
}

function Cell({ cell }: { cell: CellReport }) {
  const { generator } = cell.facts;
  const figures = [cell.scheduled, cell.started, cell.dropped, cell.failed].map(count);
  const rates = [cell.facts.plan.targetPerSecond, cell.achievedPerSecond].map(rate);
  return (
    <>
      <tr class={TONES[cell.verdict]}>
        <th scope="rowgroup" rowspan={2}>
          <Mark verdict={cell.verdict} />
        </th>
        <th scope="rowgroup" rowspan={2}>
          <a href={`#${cellAnchor(cell)}`}>{loadCellName(cell)}</a>
        </th>
        {[...figures, ...rates].map((figure) => (
          <td class="num" rowspan={2}>
            {figure}
          </td>
        ))}
        <Times words="service" latency={cell.serviceTime} />
        <td class="num" rowspan={2}>
          {ms(cell.lag.p99Ms)}
        </td>
        <td class="num" rowspan={2}>
          {generator.k6CpuMean === null || generator.k6CpuMax === null
            ? '—'
            : `${Math.round(generator.k6CpuMean * 100)} / ${percent(generator.k6CpuMax)}`}
        </td>
      </tr>
      <tr class={TONES[cell.verdict]}>
        <Times words="response" latency={cell.responseTime} />
      </tr>
    </>
  );
}

function Table({ cells }: { cells: readonly CellReport[] }) {
  return (
    <Wide label="Load cells">
      <table class="cells">
        <caption>
          Milliseconds. Service: request sent to last byte. Response: intended start to last byte, arrivals that never
          got a connection rank above all. * fewer than 100 samples above that percentile. — and †: arrivals that were
          not served lie there. CPU of k6, mean / highest second, share of one core.
        </caption>
        <Head columns={HEAD.map((head) => [head, null, TEXTS.has(head) ? 'text' : 'figures'])} />
        {cells.map((cell) => (
          <tbody>
            <Cell cell={cell} />
          </tbody>
        ))}
      </table>
    </Wide>
  );
}

function Notes({ report }: { report: Report }) {
  const anc = report.catalogue.anc;
  const operations =
    anc?.operations.flatMap(({ specName, note }) => (note === undefined ? [] : [`${specName}: ${note}.`])) ?? [];
  const profiles = anc?.profiles.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}.`])) ?? [];
  return <Lines class="small soft" lines={[...operations, ...profiles]} />;
}

/** Cells of which a print shows the charts: those that did not hold, else the slowest; more would not fit four pages. */
const MOST_PRINTED = 4;

function printedCells(cells: readonly CellReport[]): ReadonlySet<CellReport> {
  const slowest = [...cells].sort((a, b) => (b.responseTime.p99Ms ?? 1e9) - (a.responseTime.p99Ms ?? 1e9));
  const bad = slowest.filter(({ verdict }) => verdict !== 'met');
  return new Set(bad.length > 0 ? bad.slice(0, MOST_PRINTED) : slowest.slice(0, 1));
}

/** The load cells: verdicts and figures in one table, then each cell with its rules and charts. */
export function Load({ report }: { report: Report }) {
  const {
    load,
    run: { target },
  } = report;
  if (load === null) return null;
  const printed = printedCells(load.cells);
  return (
    <Section id="load" title={`Load: ${metWords(load)}`}>
      <Legend verdicts={['met', 'violated', 'invalid']} />
      {load.cells.length === 0 ? <p>No cell was run.</p> : <Table cells={load.cells} />}
      <Lines lines={notRunWords(load)} />
      <Notes report={report} />
      {load.cells.map((cell) => (
        <CellDetails cell={cell} target={target} open={cell.verdict !== 'met'} printed={printed.has(cell)} />
      ))}
      {(load.notRun ?? []).map(({ cell }) => cell && <CellDetails cell={cell} target={target} />)}
      {load.repeated.length > 0 && <h3>Invalid first tries, which were repeated</h3>}
      {load.repeated.map((cell) => (
        <CellDetails cell={cell} target={target} />
      ))}
    </Section>
  );
}
