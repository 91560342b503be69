import type { Child } from 'hono/jsx';
import { loadCellName, metWords, notRunWords } from '../../../lib/judge/cell/judge-load.ts';
import { present } from '../../../lib/present.ts';
import type { CellReport, Latency } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { count, ms, percent, rate } from '../../../lib/text.ts';
import { type Column, Lines, Mark, Section, Table } from '../page/parts.tsx';
import { CellDetails, cellAnchor } from './cell-details.tsx';

const PERCENTILES = { p50: 'p50Ms', p90: 'p90Ms', p95: 'p95Ms', p99: 'p99Ms', p999: 'p999Ms' } as const;
type Percentile = keyof typeof PERCENTILES;

const TONES = { met: '', violated: 'bad', invalid: 'open' } as const;

function Time({ latency, name }: { latency: Latency; name: Percentile }) {
  const value = latency[PERCENTILES[name]];
  const [low, high] = latency.intervals[name] ?? [null, null];
  const few = latency.fewSamples.includes(name) ? 'fewer than 100 samples above it' : undefined;
  const short = latency.windowTooShort?.includes(name) === true;
  const interval = short ? 'window too short for an interval' : `95 % interval ${ms(low)} to ${ms(high)} ms`;
  return (
    <span title={[interval, ...(few === undefined ? [] : [few])].join('; ')}>
      {value === null ? '—' : ms(value)}
      {few && value !== null && <sup title={few}>*</sup>}
    </span>
  );
}

function Longest({ latency: { maxMs, unserved } }: { latency: Latency }) {
  return (
    <>
      {maxMs === null && unserved > 0 ? '—' : ms(maxMs)}
      {unserved > 0 && <sup title={`${count(unserved)} arrivals were not served`}>†</sup>}
    </>
  );
}

const both = ({ serviceTime, responseTime }: CellReport, shown: (latency: Latency) => Child): Child => [
  shown(serviceTime),
  <br />,
  shown(responseTime),
];

const cpuWords = ({ k6CpuMean: mean, k6CpuMax: max }: CellReport['facts']['generator']): string =>
  mean === null || max === null ? '—' : `${Math.round(mean * 100)} / ${percent(max)}`;

function Cells({ cells }: { cells: readonly CellReport[] }) {
  return (
    <Table
      label="Load cells"
      class="cells"
      caption={
        'Milliseconds. Service: request sent to last byte. Response: intended start to last byte, arrivals that never got a connection rank above all. ' +
        '* fewer than 100 samples above that percentile. — and †: arrivals that were not served lie there. CPU of k6, mean / highest second, share of one core.'
      }
      rows={cells}
      tone={({ verdict }) => TONES[verdict]}
      columns={[
        ['Verdict', ({ verdict }) => <Mark verdict={verdict} />],
        ['Measurement', (cell) => <a href={`#${cellAnchor(cell)}`}>{loadCellName(cell)}</a>, 'row'],
        ['Scheduled', ({ scheduled }) => count(scheduled), 'figures'],
        ['Started', ({ started }) => count(started), 'figures'],
        ['Dropped', ({ dropped }) => count(dropped), 'figures'],
        ['Failed', ({ failed }) => count(failed), 'figures'],
        ['Scheduled /s', ({ facts }) => rate(facts.plan.targetPerSecond), 'figures'],
        ['Achieved /s', ({ achievedPerSecond }) => rate(achievedPerSecond), 'figures'],
        ['Clock', () => ['service', <br />, 'response']],
        ...(Object.keys(PERCENTILES) as Percentile[]).map(
          (name): Column<CellReport> => [
            name === 'p999' ? 'p99.9' : name,
            (cell) => both(cell, (latency) => <Time latency={latency} name={name} />),
            'figures',
          ],
        ),
        ['max', (cell) => both(cell, (latency) => <Longest latency={latency} />), 'figures'],
        ['Lag', ({ rules }) => rules.find(({ id }) => id === 'lag')?.measured ?? '—', 'figures'],
        ['CPU', ({ facts }) => cpuWords(facts.generator), 'figures'],
      ]}
    />
  );
}

function Notes({ cells, anc }: { cells: readonly CellReport[]; anc: Report['catalogue']['anc'] }) {
  const isThere = ({ name }: { name: string }) => cells.some((cell) => [cell.operation, cell.profile].includes(name));
  const noted = present(
    ...(anc?.operations ?? []).filter(isThere).map(({ specName, note }) => note && `${specName}: ${note}.`),
    ...(anc?.profiles ?? []).filter(isThere).map(({ name, note }) => note && `${name}: ${note}.`),
  );
  return <Lines class="small soft" lines={noted} />;
}

/** Cells of which a print shows the charts: those that did not hold, else the slowest; more would not fit four pages. */
const MOST_PRINTED = 4;

function printedCells(cells: readonly CellReport[]): ReadonlySet<CellReport> {
  const slowest = [...cells].sort((a, b) => (b.responseTime.p99Ms ?? 1e9) - (a.responseTime.p99Ms ?? 1e9));
  const bad = slowest.filter(({ verdict }) => verdict !== 'met');
  return new Set(bad.length > 0 ? bad.slice(0, MOST_PRINTED) : slowest.slice(0, 1));
}

export function Load({ report }: { report: Report }) {
  const {
    load,
    run: { target },
  } = report;
  if (load === null) return null;
  const printed = printedCells(load.cells);
  const first = load.cells.find(({ verdict }) => verdict !== 'met');
  return (
    <Section id="load" title={load.cells.length === 0 ? 'Load: no measurement' : `Load: ${metWords(load)}`}>
      {load.cells.length > 0 && <Cells cells={load.cells} />}
      <Lines lines={notRunWords(load)} />
      <Notes cells={load.cells} anc={report.catalogue.anc} />
      {load.cells.map((cell) => (
        <CellDetails cell={cell} target={target} open={cell === first} printed={printed.has(cell)} />
      ))}
      {(load.notRun ?? []).map(({ cell }) => cell && <CellDetails cell={cell} target={target} />)}
      {load.repeated.length > 0 && <h3>Invalid first tries, which were repeated</h3>}
      {load.repeated.map((cell) => (
        <CellDetails cell={cell} target={target} />
      ))}
    </Section>
  );
}
