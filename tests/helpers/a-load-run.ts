import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Report } from '../../lib/records/report.ts';
import type { LoadRun } from '../../reports/compare/load.ts';
import { aCell } from './a-cell.ts';
import { aHeader, aRun, given } from './a-run.ts';
import type { MadeArrival } from './k6-csv.ts';

/** Seconds of arrivals of the made cells. */
export const SECONDS = 21;
const NO_TOTALS = { totalBefore: null, totalAfter: null };

/** Service times around 20 ms with a long tail; neighbors are alike, as a queue makes them. */
function arrivalsOf(seed: number, factor: number): (tick: number) => MadeArrival {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let drift = 0;
  return () => {
    drift = 0.98 * drift + 0.02 * normal();
    return { serviceUs: Math.round(20_000 * factor * Math.exp(0.25 * normal() + drift)) };
  };
}

/** A run of which only the report is compared. */
export const withoutSamples = (report: Report): LoadRun => ({ report, samples: new Map() });

/** A run of one cell with its samples; `factor` makes its target slower. */
export function aLoadRun(seed: number, factor = 1, changes: Parameters<typeof aCell>[1] = {}): LoadRun {
  const cell = aCell(arrivalsOf(seed, factor), { readBack: NO_TOTALS, ...changes }, SECONDS);
  const options = given({ profiles: ['60k'], operations: ['apply-by-mac'] });
  const report = judge(aRun({ header: aHeader({ command: 'load', options }), cells: [cell] }), judgeCell);
  return { report, samples: new Map([[cell.facts.id, () => cell.samples]]) };
}
