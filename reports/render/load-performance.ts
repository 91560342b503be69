import type { CellReport } from '../../lib/records/load/load.ts';
import { decodeHistogram, mergeHistograms } from '../../lib/stats/histogram.ts';

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

/**
 * All cells in the form of k6's summary, which GitLab reads as `load_performance`: cells met and not met as checks, transactions and
 * their mean rate, service time of all successes (histograms added). GitLab labels `http_req_waiting` as time to the first byte; here
 * it is the service time, up to the last byte. `judged` is what the checks count, where it is not the cells: a capacity shows its
 * answers, and the figures of the rates that held.
 */
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
