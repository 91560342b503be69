import type { CellReport } from '../../lib/records/load/load.ts';
import { decodeHistogram, mergeHistograms } from '../../lib/stats/histogram.ts';

type Column = readonly [name: string, value: (cell: CellReport) => string | number | null];

/** Columns of cells.csv; their names and order are kept stable for whoever reads them. */
const COLUMNS: readonly Column[] = [
  ['profile', (cell) => cell.profile],
  ['operation', (cell) => cell.operation],
  ['attempt', (cell) => cell.attempt],
  ['verdict', (cell) => cell.verdict],
  ['target_per_second', ({ facts }) => facts.plan.targetPerSecond],
  ['connections', ({ facts }) => facts.plan.connections],
  ['offered_per_second', (cell) => cell.offeredPerSecond],
  ['achieved_per_second', (cell) => cell.achievedPerSecond],
  ['scheduled', (cell) => cell.scheduled],
  ['started', (cell) => cell.started],
  ['dropped', (cell) => cell.dropped],
  ['succeeded', (cell) => cell.succeeded],
  ['failed', (cell) => cell.failed],
  ...(['service', 'response'] as const).flatMap((latency) =>
    (['p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const).map(
      (figure): Column => [`${latency}_${figure}_ms`, (cell) => cell[`${latency}Time`][`${figure}Ms`]],
    ),
  ),
  ['lag_p99_ms', ({ lag }) => lag.p99Ms],
  ['in_flight_mean', (cell) => cell.inFlightMean],
  ['read_back_proven', ({ facts }) => facts.readBack.proven],
  ['read_back_sampled', ({ facts }) => facts.readBack.sampled],
  ['reasons', ({ reasons }) => reasons.join('; ')],
];

/** Where a spreadsheet sees the begin of a formula: at the begin of a field, also where its locale parts fields by another sign. */
const FORMULA = /(^|[;,\t\r\n]\s*)(?=[=+\-@\t\r])/g;

/** A field of RFC 4180; a text that a spreadsheet would take for a formula is led by an apostrophe. */
function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  const safe = value.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line for each try of each cell. A percentile that falls among the unserved is empty. */
export function renderCellsCsv(cells: readonly CellReport[]): string {
  const rows = cells.map((cell) => COLUMNS.map(([, value]) => field(value(cell))).join(','));
  return `${[COLUMNS.map(([name]) => name).join(','), ...rows].join('\n')}\n`;
}

const US_PER_MS = 1000;

function trend(cells: readonly CellReport[]): Record<string, number> {
  const served = cells.filter(({ serviceTime }) => serviceTime.count > 0);
  if (served.length === 0) return {};
  const all = decodeHistogram(mergeHistograms(served.map(({ serviceTime }) => serviceTime.hdr)));
  const at = (p: number) => all.getValueAtPercentile(p) / US_PER_MS;
  const ends = (key: 'minMs' | 'maxServedMs') => served.map(({ serviceTime }) => serviceTime[key] ?? 0);
  const count = served.reduce((sum, { serviceTime }) => sum + serviceTime.count, 0);
  const total = served.reduce((sum, { serviceTime }) => sum + (serviceTime.meanServedMs ?? 0) * serviceTime.count, 0);
  return {
    avg: total / count,
    min: Math.min(...ends('minMs')),
    med: at(50),
    max: Math.max(...ends('maxServedMs')),
    'p(90)': at(90),
    'p(95)': at(95),
  };
}

/** k6's summary, GitLab's `load_performance`; `http_req_waiting`: the service time. `judged`: what the checks count, if not cells. */
export function renderLoadPerformance(
  cells: readonly CellReport[],
  judged: readonly Pick<CellReport, 'verdict'>[] = cells,
): string {
  const met = judged.filter(({ verdict }) => verdict === 'met').length;
  const count = cells.reduce((sum, { started }) => sum + started, 0);
  const rates = cells.reduce((sum, { achievedPerSecond }) => sum + achievedPerSecond, 0);
  const service = trend(cells);
  const metrics = {
    checks: { passes: met, fails: judged.length - met, value: met / judged.length },
    http_reqs: { count, rate: cells.length === 0 ? 0 : rates / cells.length },
    http_req_waiting: service,
    http_req_duration: service,
  };
  return `${JSON.stringify({ metrics }, null, 2)}\n`;
}
