import { present } from '../../../present.ts';
import { type CellFacts, type CellReport, UNSERVED } from '../../../records/load/load.ts';
import { hasFewSamples, percentile } from '../../../stats/percentile.ts';
import { type CellWindow, column } from '../window.ts';
import { type CellLimits, figure, invalid, type Judged, type RuleId } from './rule.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const ms = (value: number): string => `${figure(value)} ms`;

const sortedLag = (window: CellWindow): Float64Array =>
  column(window.arrivals, window.count, ({ lagUs }) => (lagUs === UNSERVED ? undefined : lagUs)).sort();

export function lagFigures(window: CellWindow): CellReport['lag'] {
  const lag = sortedLag(window);
  const at = (p: number) => {
    const us = percentile(lag, 0, p);
    return us === null ? null : us / 1000;
  };
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

/**
 * Was the schedule kept? The highest of p99, p95 and p90 with at least 100 arrivals above it decides: else one or two
 * pauses of a busy machine would. What a pause delays is offered after all, and its delay is part of the response time.
 */
function lagRules(window: CellWindow, limits: CellLimits): Judged[] {
  const lag = sortedLag(window);
  const p = [0.99, 0.95].find((share) => !hasFewSamples(lag.length, share)) ?? 0.9;
  const name = `p${Math.round(p * 100)}`;
  const decidingUs = percentile(lag, 0, p);
  const maxUs = percentile(lag, 0, 1);
  const within = (us: number | null, limitMs: number) => us !== null && us <= limitMs * 1000;
  const words = (us: number | null) => (us === null ? 'no sample' : ms(us / 1000));
  const late = `the load generator was late: ${name} of its lag was ${words(decidingUs)}, allowed is ${limits.lagMs} ms; ${ADVICE}`;
  return [
    invalid('lag', words(decidingUs), `${limits.lagMs} ms`, within(decidingUs, limits.lagMs), {
      text: `the generator starts arrivals on time (${name} of its lag)`,
      reason: decidingUs === null ? 'it ended before an arrival was measured' : late,
    }),
    invalid('lag-max', words(maxUs), `${limits.lagMaxMs} ms`, within(maxUs, limits.lagMaxMs)),
  ];
}

/** What helps a load generator that is not in time. */
export const ADVICE = 'close other programs on its machine, or give it more cores';
const SECOND_US = 1e6;

/**
 * Did failures come from a crowd that is not in the schedule, because arrivals that were held up are sent at once?
 * Half of the failures, and twice the share that chance would bring, within a second after that prove nothing.
 */
function crowdRule(window: CellWindow, limits: CellLimits): Judged {
  let untilUs = Number.NEGATIVE_INFINITY;
  let [failed, failedThen, then] = [0, 0, 0];
  for (const { dueUs, lagUs, fate, kind } of window.arrivals) {
    const late = lagUs === UNSERVED ? 0 : lagUs;
    if (late > 1000 * limits.heldUpMs) untilUs = Math.max(untilUs, dueUs + late + SECOND_US);
    const isThen = dueUs + late < untilUs;
    const isFailed = fate === 'failed' && kind !== 'state' && kind !== 'despite';
    if (isThen) then += 1;
    if (isFailed) failed += 1;
    if (isFailed && isThen) failedThen += 1;
  }
  const measured = `${failedThen} of ${failed} failures`;
  const holds = failedThen < failed / 2 || failed === 0 || failedThen / failed < (2 * then) / window.count;
  return invalid('crowds', measured, 'less than half, or as many as chance brings', holds, {
    reason: `the load generator held up arrivals and sent them at once: ${measured} came within a second after that; ${ADVICE}`,
  });
}

type Words = (value: number) => string;

const atMost = (id: RuleId, value: number, limit: number, words: Words, more: Partial<Judged> = {}): Judged =>
  invalid(id, words(value), `at most ${words(limit)}`, value <= limit, more);

/** The same of what a system may not show: then nobody knows that the generator was in order. */
const shownAtMost = (
  id: RuleId,
  value: number | null,
  limit: number,
  words: Words = percent,
  shows = 'this system does not show it',
): Judged =>
  atMost(id, value ?? 0, limit, words, value === null ? { measured: `not measured: ${shows}`, holds: false } : {});

const ofCores = (used: number | null, { cores }: CellFacts['generator']) => (used === null ? null : used / cores);

/** Was memory of the generator swapped? Decides nothing on a system that does not show it. */
function swapRule({ swap }: CellFacts['generator'], limits: CellLimits): Judged {
  const limit = `at most ${limits.swapKb} kB`;
  if (swap === undefined) return invalid('swap', 'not measured: this system does not show it', limit, null);
  const { k6Kb, collectorKb, systemPages } = swap;
  const system = systemPages === null ? '' : `; ${systemPages} pages of the whole system`;
  return invalid(
    'swap',
    `k6 ${k6Kb} kB, collector ${collectorKb} kB${system}`,
    limit,
    k6Kb + collectorKb <= limits.swapKb,
  );
}

/** Did the process that reads the stream of k6 keep up? */
function collectorRules(generator: CellFacts['generator'], limits: CellLimits): Judged[] {
  const { collectorCpuMean, eventLoopDelayP99Ms, runners } = generator;
  const more = runners === undefined ? {} : { measured: 'not applicable: runners write files', holds: null };
  return [
    atMost('collector-cpu', collectorCpuMean, limits.collectorCpu, percent, more),
    atMost('event-loop', eventLoopDelayP99Ms, limits.eventLoopMs, ms, more),
  ];
}

/** Rules about runners of a cluster: did its CPU limit hold any back, did all run the same? None if the load came from this machine. */
function runnerRules({ runners }: CellFacts['generator'], limits: CellLimits): Judged[] {
  if (runners === undefined) return [];
  const { throttled, programs } = runners;
  const precise = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    shownAtMost('throttled', throttled, limits.throttledShare, precise, 'the node does not show it'),
    invalid(
      'same-program',
      programs === null ? 'not measured: a digest is missing' : `${programs}`,
      '1',
      programs === 1,
    ),
  ];
}

/** Was the generator in order? Each rule that does not hold makes the cell invalid, whatever the target did. */
export function generatorRules({ generator, segments }: CellFacts, window: CellWindow, limits: CellLimits): Judged[] {
  const { k6CpuMean, k6CpuMax } = generator;
  return [
    ...lagRules(window, limits),
    crowdRule(window, limits),
    shownAtMost('k6-cpu', ofCores(k6CpuMean, generator), limits.cpuMean),
    shownAtMost('k6-cpu-max', ofCores(k6CpuMax, generator), limits.cpuMax),
    ...collectorRules(generator, limits),
    ...runnerRules(generator, limits),
    swapRule(generator, limits),
    atMost('clock', generator.clockStepMs, limits.clockStepMs, ms),
    ...present(
      segments &&
        atMost('common-start', segments.startSpreadMs, limits.startSpreadMs, ms, {
          text: `the ${segments.of} segments began together (largest difference)`,
        }),
    ),
  ];
}
