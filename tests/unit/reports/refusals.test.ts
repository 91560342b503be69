import { expect, it } from 'vitest';
import { refusalsOf } from '../../../lib/judge/capacity/capacity-answer.ts';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import type { CapacityAnswer } from '../../../lib/records/load/capacity.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import { millis } from '../../../lib/text.ts';
import { toSamples } from '../../../load/stream/samples.ts';
import { refusalSection } from '../../../reports/capacity/refusals.ts';
import { lineText } from '../../../reports/render/markdown-blocks.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { k6Csv, type MadeArrival, readCsv } from '../../helpers/k6-csv.ts';

type ReadBack = Parameters<typeof aCell>[1] extends { readBack?: infer R } | undefined ? R : never;

/** A judged step at a rate, read from the rows that k6 would have written of its arrivals. */
function step(rate: number, arrivals: (tick: number) => MadeArrival, readBack: ReadBack = {}): CellReport {
  const periodUs = 1e6 / rate;
  const made = Array.from({ length: rate * 5 }, (_, tick) => arrivals(tick));
  const { table } = readCsv(k6Csv(made, periodUs), periodUs * 1000);
  const { samples, failures, counts } = toSamples(table, periodUs * 1000);
  const what = { id: `at-${rate}`, plan: { targetPerSecond: rate, connections: 100 } };
  const facts = { ...what, step: { number: rate, purpose: 'search' as const }, failures, readBack };
  return judgeCell(aCell(() => ({}), { ...facts, counts: { ...counts, exceptions: 0 } }).facts, samples);
}

const ok = (): MadeArrival => ({});
/** Twenty endpoints of refused transactions were looked at, of which so many were done all the same. */
const looked = (done: number) => ({ refused: [{ failure: 0, looked: 20, done }] });
const every = (share: number, failing: MadeArrival) => (tick: number) =>
  tick % Math.round(1 / share) === 0 ? failing : {};
/** All connections wait: the others of the arrivals are dropped. */
const waiting =
  (share: number) =>
  (tick: number): MadeArrival =>
    tick > 200 && tick % Math.round(1 / share) === 0 ? { dropped: true } : { serviceUs: tick > 200 ? 500_000 : 2000 };

const rowsOf = (steps: readonly CellReport[], held: number) => {
  const answer = { refusals: refusalsOf(steps, held) } as unknown as CapacityAnswer;
  const [table] = refusalSection(answer, 0, steps).blocks;
  return table?.kind === 'table' ? table.rows.map((row) => row.map(lineText).join(' | ')) : [];
};

const throttled: MadeArrival = { status: 429, code: 'retry-after', says: 'slow down', serviceUs: 1000 };
const at500 = (arrivals: (tick: number) => MadeArrival, readBack?: ReadBack) => step(500, arrivals, readBack);
const reset: MadeArrival = { status: 0, errorCode: '1220' };
const busy = { status: 503, code: 'other', says: 'busy', serviceUs: 4_000_000 };
const burst = (tick: number) => (tick >= 1500 && tick < 1600 ? { status: 503, code: 'other', says: '' } : {});
const lost = { sampled: 20, proven: 14, mismatches: ['02:00:00:00:00:01 holds nothing after the load'] };
const half = every(0.5, throttled);
const failed = every(0.5, { status: 500, code: 'other', says: 'failed' });
const later = at500(every(0.5, { ...throttled, retryAfter: '7' }));
const first = step(400, every(0.1, { ...throttled, retryAfter: '3' }));
const MORE = 'nothing is refused: answers come later and later, until every connection waits';
it.each<[row: string, ...steps: CellReport[]]>([
  // From the lowest rate at which it came.
  ['429, body JSON: "slow down" | 400.0 | 50 % | 1.00 ms | 7 s | not looked at', step(250, ok), later, first],
  ['429, body JSON: "slow down" | 500.0 | 50 % | 1.00 ms | none | 0 of 20 looked at', at500(half, looked(0))],
  ['503, body empty | 500.0 | 5.0 % | 2.00 ms | none | not looked at', at500(burst)],
  ['connection reset | 500.0 | 20 % | 2.00 ms | — | not looked at', at500(every(0.2, reset))],
  [`${MORE} | 500.0 | 20 % | 500 ms | — | —`, step(250, ok), at500(waiting(0.2))],
  [`503, body JSON: "busy" | 500.0 | 20 % | ${millis(4000)} | none | not looked at`, at500(every(0.2, busy))],
  ['a success that is not in the list afterwards | 500.0 | 30 % | — | — | 14 of 20 looked at', at500(ok, lost)],
  ['500, body JSON: "failed" | 500.0 | 50 % | 2.00 ms | none | 19 of 20 looked at', at500(failed, looked(19))],
])('how a target refuses is told: %s', (row, ...steps) => {
  expect(rowsOf(steps, 250)).toEqual([row]);
});
