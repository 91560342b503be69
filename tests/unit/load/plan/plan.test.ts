import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { ANC_OPERATION_NAMES } from '../../../../lib/contract/anc.ts';
import { endpointOf, endpointsOf, rampEndpoints, reachableOf } from '../../../../load/endpoints/context.ts';
import { cellSpecOf } from '../../../../load/plan/cell-spec.ts';
import { describePlan, planText } from '../../../../load/plan/describe.ts';
import { connectionsFor, planLoad as plan, proposed, sharedBy } from '../../../../load/plan/plan.ts';
import type { LoadGiven, LoadSpec } from '../../../../load/plan/spec.ts';
import { refusal } from '../../../helpers/refusal.ts';

/** Options of a load, and the pool and policy that it is given. */
type LoadOptions = LoadGiven & Parameters<typeof plan>[1];
const planLoad = ({ pool, policy, ...given }: LoadOptions) => plan(given, { pool, policy });

const pool = readPool('02:00:00:00:00:00+60000@10.0.0.0');

const options = (overrides: Partial<LoadOptions> = {}): LoadOptions => ({
  profiles: ['60k'],
  operations: ANC_OPERATION_NAMES,
  depth: 'quick',
  pool,
  policy: 'Load-Test',
  timeoutMs: 10_000,
  ...overrides,
});

const refused = (overrides: Partial<LoadOptions>) => refusal(() => planLoad(options(overrides))).code || 'taken';

describe('the plan of a load', () => {
  it('has five cells, each chain in its order', () => {
    const plan = planLoad(options());
    const first = ['apply-by-mac', 'clear-by-mac', 'apply-policy', 'clear-policy', 'apply-by-ip'];
    expect(plan.cells.map((cell) => cell.operation)).toEqual(first);
  });

  it('refuses two profiles on one deployment', () => {
    expect(refused({ profiles: ['60k', '200k'] })).toBe('same-population');
    expect(refused({ profiles: ['60k', '60k'] })).toBe('taken');
  });

  it('gives apply and clear of a chain the same endpoints, and different chains none in common', () => {
    const plan = planLoad(options());
    const [apply, clear, applyPolicy, , applyByIp] = plan.cells.map((cell) => endpointsOf(cell));
    expect(apply).toEqual(clear);
    const used = [...(apply ?? []), ...(applyPolicy ?? []), ...(applyByIp ?? [])];
    expect(new Set(used).size).toBe(used.length);
    expect(plan.disjointChains).toBe(true);
  });

  it('lets the chains share the pool one after the other when a third of it is too small for a cell', () => {
    const plan = planLoad(options({ pool: readPool('02:00:00:00:00:00+5000@10.0.0.0') }));
    expect(plan.disjointChains).toBe(false);
    expect(plan.cells.every((cell) => cell.pool.size === 5000)).toBe(true);
    expect(new Set(endpointsOf(plan.cells[0] as never)).size).toBe(3026);
  });

  it('makes one pass over the whole population in the deep cells, and endpointCount no endpoint twice', () => {
    const [cell] = planLoad(options({ depth: 'deep' })).cells;
    const seconds = (cell?.durationSeconds ?? 0) + (cell?.warmupSeconds ?? 0);
    // A ramp-up of ten seconds takes as many endpoints as five seconds of the steady state.
    expect([seconds, cell?.ramp]).toEqual([234, { seconds: 10, arrivals: 1251 }]);
    expect(cell?.endpointCount).toBeLessThanOrEqual(60_000);
    const [flat] = planLoad(options({ depth: 'deep', rampSeconds: 0 })).cells;
    expect([(flat?.durationSeconds ?? 0) + (flat?.warmupSeconds ?? 0), flat?.ramp]).toEqual([239, undefined]);
  });

  it('warms up long enough for every connection to have been used', () => {
    const [cell] = planLoad(options({ connections: 2000 })).cells;
    expect(cell?.warmupSeconds).toBeGreaterThan(2000 / 250);
  });

  it.each([
    ['bad-number', { ratePerSecond: Number.NaN }],
    ['bad-number', { ratePerSecond: 0 }],
    ['bad-number', { ratePerSecond: 2.55 }],
    ['bad-number', { ratePerSecond: 0.5 }],
    ['bad-number', { ratePerSecond: 5001 }],
    ['bad-number', { durationSeconds: 0 }],
    ['bad-number', { durationSeconds: 99_999, ratePerSecond: 1, pool: readPool('02:00:00:00:00:00+200000@10.0.0.0') }],
    ['bad-number', { connections: 0 }],
    ['bad-number', { timeoutMs: 0 }],
    ['pool-too-small', { pool: readPool('02:00:00:00:00:00+1770@10.0.0.0') }],
    ['pool-without-ip', { pool: readPool('02:00:00:00:00:00+60000') }],
    ['disruptive-policy', { policy: 'ANC-Shut_Down' }],
    ['disruptive-policy', { policy: 'port bounce' }],
    ['no-policy', { policy: ' ' }],
    ['no-cells', { operations: [] }],
    // k6 can offer tenths exactly.
    ['taken', { ratePerSecond: 62.5 }],
    ['taken', { ratePerSecond: 1.1 }],
    ['taken', { policy: 'Shut_Down', allowDisruptivePolicy: true }],
    ['taken', { pool: readPool('02:00:00:00:00:00+60000'), operations: ['apply-by-mac'] }],
  ] as const)('is %s for %j', (code, overrides) => {
    expect(refused(overrides)).toBe(code);
  });

  it('climbs to the rate on endpoints of its own where it is asked to, and in the depths for real targets', () => {
    const [cell] = planLoad(options({ rampSeconds: 4 })).cells;
    if (cell === undefined) throw new Error('no cell');
    const ramp = rampEndpoints(cell);
    const reach = reachableOf(cell);
    expect([ramp.length, endpointsOf(cell).slice(0, 501)]).toEqual([501, ramp]);
    expect(endpointsOf(cell)[501]).toBe(endpointOf(cell)(0));
    expect([new Set(reach).size, reach.length]).toEqual([reach.length, 3026 + 501 + 250]);
    const seconds = (depth: LoadOptions['depth']) => planLoad(options({ depth })).cells[0]?.ramp?.seconds;
    expect([seconds('quick'), seconds('normal'), seconds('deep')]).toEqual([undefined, 10, 10]);
    const text = planText(planLoad(options({ rampSeconds: 4 })), 'https://a');
    expect(text).toContain('250/s: 4 s ramp-up, 2 s warm-up, 10 s measured');
    expect(refused({ rampSeconds: 0.5 })).toBe('bad-number');
  });

  it('can be printed with every request, endpoint and second before anything is sent', () => {
    const plan = planLoad(options());
    const described = describePlan(plan, 'https://a');
    // Two seconds of warm-up, ten of figures and the tail of a tenth.
    expect(described.totalRequests).toBe(5 * 12.1 * 250);
    expect(described.cells[0]).toMatchObject({ method: 'PUT /apply', requests: 3025, part: [0, 19_999] });
    const text = planText(plan, 'https://a');
    expect(text).toContain('60k clear-policy: PUT /clear, 250/s');
    expect(text).toMatch(/about \d+ .*18.151 requests: 60k apply-by-mac 14 s/);
    expect(text).toContain('endpoints 0 to 19999, each at most once');
  });
});

const at = (targetPerSecond: number, warmupSeconds = 2) => ({ targetPerSecond, warmupSeconds });

describe('the number of connections', () => {
  it.each([
    // Twice the latency, and a tenth of a second for pauses.
    [250, 1, 30],
    [250, 8, 30],
    [250, 20, 50],
    [250, 100, 100],
    [250, 300, 200],
    [250, 2000, 200],
    [20, 1, 10],
    [1000, 1, 150],
  ])('at %i/s and %i ms is %i, by Little’s law', (rate, latencyMs, connections) => {
    expect(connectionsFor(at(rate), latencyMs)).toBe(connections);
  });

  it('is never more than can all be used within the warm-up', () => {
    expect(connectionsFor(at(10, 2), 5000)).toBe(20);
    expect(proposed(at(1, 3), 500)).toBe(3);
  });

  it('is shared evenly by the segments', () => {
    expect([sharedBy(1, 29), sharedBy(3, 29), sharedBy(4, 2), sharedBy(1, 0)]).toEqual([29, 27, 4, 1]);
  });
});

/** They take effect before, beside or after the cells: no part of what k6 is told. */
const LATER = [
  ...(['slo', 'lagLimitMs', 'reconcileLimit', 'readBackGraceMs'] as const),
  ...(['takeOver', 'allowDisruptivePolicy'] as const),
] as const;

/** For each other option, a value that is not its default. The type asks for one where an option is added. */
const OTHER: { readonly [Key in Exclude<keyof LoadSpec, (typeof LATER)[number]>]: NonNullable<LoadGiven[Key]> } = {
  ...({ profiles: ['200k'], operations: ['apply-by-mac'], depth: 'normal' } as const),
  ...{ ratePerSecond: 125, durationSeconds: 7, rampSeconds: 3 },
  ...{ segments: 2, k6Outputs: ['json=points.json'], connections: 60, timeoutMs: 1234, seed: 2 },
  ...{ abortP99Ms: 700, abortErrorPercent: 20 },
};

const credentials = { username: 'user', password: 'secret' };
const sender = { baseUrl: 'https://target', credentials, userAgent: 'test', csrf: false };

/** All that a load does to its target, as data: what k6 is told for each cell, and when it stops. */
function told(given: LoadGiven) {
  const planned = planLoad({ profiles: ['60k'], ...given, pool, policy: 'Load-Test' });
  const cells = planned.cells.map((cell) => ({ profile: cell.profile, spec: cellSpecOf(planned, cell, sender) }));
  return { cells, abort: planned.abort };
}

it.each(Object.entries(OTHER))('--%s changes what the target is given', (key, value) => {
  expect(told({ [key]: value })).not.toEqual(told({}));
});
