import { expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import type { Latency } from '../../../lib/records/load/load.ts';
import { PERCENTILES, type PercentileName } from '../../../lib/stats/latency.ts';
import { percentile } from '../../../lib/stats/percentile.ts';
import { macAt, permutation } from '../../../lib/wire/endpoint.ts';
import { type Delays, delayServer, type LoggedRequest } from '../../helpers/delay-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

/**
 * ERS_TRUTH=strict, on a quiet machine: longer cells, one more of them, and 0.5 ms or 1 % is all that is allowed. Else the way there
 * and back, as a target that holds nothing shows it at that time, is allowed on top.
 */
const STRICT = process.env['ERS_TRUTH'] === 'strict';
const SECONDS = STRICT ? 46 : 8;
/** 600 connections have all been used once by then: what a handshake costs is no part of this. */
const WARMUP_SECONDS = 3;
const NAMES: readonly PercentileName[] = ['p50', 'p90', 'p99', 'p999'];
const ALLOWED_MS = 0.5;
const ALLOWED_SHARE = 0.01;

function percentilesOf(values: readonly number[]): Record<PercentileName, number> {
  const sorted = Float64Array.from(values).sort();
  return Object.fromEntries(
    NAMES.map((name) => [name, percentile(sorted, 0, PERCENTILES[name]) ?? Number.NaN]),
  ) as Record<PercentileName, number>;
}

/** Place in the schedule of each request by its endpoint, and the start of the schedule: no request comes before it is due. */
function onSchedule(log: readonly LoggedRequest[], poolSize: number, seed: number, periodMs: number) {
  const order = permutation(poolSize, seed);
  const ticks = new Map(log.map((_, tick) => [macAt('02:00:00:00:00:00', order(tick)), tick]));
  const placed = log.map((entry) => ({ ...entry, dueMs: (ticks.get(entry.mac) ?? Number.NaN) * periodMs }));
  const originMs = Math.min(...placed.map(({ cameMs, dueMs }) => cameMs - dueMs));
  return { placed, originMs };
}

/** A cell against a target with these delays, and the percentiles of its window by the log of the target, milliseconds. */
async function measured(delays: Delays) {
  const server = await delayServer(delays);
  const spec = aSpec(server.baseUrl, {
    durationSeconds: SECONDS,
    connections: delays.stall === null ? 100 : 600,
    timeoutMs: 10_000,
  });
  const run = await runCellOf({ ...spec, pool: { ...spec.pool, size: 20_000 } });
  const log = await server.finish();
  expect(run.counts.dropped).toBe(0);
  const { placed, originMs } = onSchedule(log, 20_000, spec.pool.seed, 1000 / spec.ratePerSecond);
  const window = placed.filter(({ dueMs }) => dueMs >= WARMUP_SECONDS * 1000 && dueMs < SECONDS * 1000);
  return {
    report: judgeRun(run, spec, WARMUP_SECONDS),
    started: run.counts.started,
    service: percentilesOf(window.map(({ cameMs, answeredMs }) => answeredMs - cameMs)),
    response: percentilesOf(window.map(({ answeredMs, dueMs }) => answeredMs - originMs - dueMs)),
    logged: log.length,
    scheduledInLog: window.length,
  };
}

type Truth = Awaited<ReturnType<typeof measured>>;

/** Largest difference between what was reported and what the target logged, in units of what is allowed. */
function compare(what: string, reported: Latency, logged: Truth['service'], extra: Truth['service'] | undefined) {
  return NAMES.map((name) => {
    const [is, was] = [reported[`${name}Ms`] ?? Number.NaN, logged[name]];
    const allowed = Math.max(ALLOWED_MS, was * ALLOWED_SHARE) + (extra?.[name] ?? 0);
    return { what, name, is, was, allowed, holds: Math.abs(is - was) <= allowed };
  });
}

/** A standard normal number from two uniform ones. */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function drawn(seed: number, draw: (random: () => number) => number): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: 20_000 }, () => draw(random));
}

const BIMODAL: readonly [string, Delays] = [
  'bimodal delays',
  { delaysMs: drawn(2, (random) => (random() < 0.95 ? 5 : 80) + random() * 3), stall: null },
];

const CASES: readonly (readonly [string, Delays])[] = [
  ['lognormal delays', { delaysMs: drawn(1, (random) => 20 * Math.exp(0.6 * normal(random))), stall: null }],
  ...(STRICT ? [BIMODAL] : []),
  [
    'one stall of two seconds',
    { delaysMs: drawn(3, (random) => 2 + random()), stall: { afterMs: 4000, lengthMs: 2000 } },
  ],
];

/** What a target that holds nothing shows on this machine; measured anew once a comparison failed. */
let floor: Promise<Truth> | undefined;

it.each(CASES)(
  'a cell against a target that logs how long it held each request reports its percentiles and counts: %s',
  { retry: STRICT ? 0 : 2, timeout: 200_000 },
  async (name, delays) => {
    if (!STRICT) floor ??= measured({ delaysMs: [0], stall: null });
    const way = floor && percentilesOf([(await floor).report.serviceTime.p99Ms ?? 0]);
    const truth = await measured(delays);
    const compared = [
      ...compare('service', truth.report.serviceTime, truth.service, way),
      ...compare('response', truth.report.responseTime, truth.response, way),
    ];
    // The machine has changed: the next try measures it anew.
    if (compared.some(({ holds }) => !holds)) floor = undefined;
    if (STRICT) {
      for (const row of compared) {
        const [is, was] = [row.is.toFixed(2), row.was.toFixed(2)];
        process.stdout.write(`${name}: ${row.what} ${row.name} reported ${is} ms, logged ${was} ms\n`);
      }
    }
    expect(truth.logged).toBe(truth.started);
    expect(truth.scheduledInLog).toBe(truth.report.scheduled);
    expect(compared.filter(({ holds }) => !holds)).toEqual([]);
  },
);
