import { present } from '../../../present.ts';
import type { CellFacts, CellReport } from '../../../records/load/load.ts';
import { UNSERVED } from '../../../records/load/samples.ts';
import { hasFewSamples, percentile } from '../../../stats/percentile.ts';
import { type CellWindow, column } from '../window.ts';
import { type CellLimits, figure, invalid, type Judged } from './rule.ts';

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
 * Was the schedule kept? The highest of p99, p95 and p90 that at least 100 arrivals lie above decides: else one or two pauses of a machine that
 * does other things too would. What a pause delays is offered after all, and its delay is part of the response time.
 */
function lagRules(window: CellWindow, limits: CellLimits): Judged[] {
  const lag = sortedLag(window);
  const p = [0.99, 0.95].find((share) => !hasFewSamples(lag.length, share)) ?? 0.9;
  const name = `p${Math.round(p * 100)}`;
  const decidingUs = percentile(lag, 0, p);
  const maxUs = percentile(lag, 0, 1);
  const within = (us: number | null, limitMs: number) => us !== null && us <= limitMs * 1000;
  const words = (us: number | null) => (us === null ? 'no sample' : ms(us / 1000));
  return [
    {
      id: 'lag',
      text: `the generator starts arrivals on time (${name} of its lag)`,
      measured: words(decidingUs),
      limit: `${limits.lagMs} ms`,
      holds: within(decidingUs, limits.lagMs),
      effect: 'invalid',
      reason: `the load generator was late: ${name} of its lag was ${words(decidingUs)}, allowed is ${limits.lagMs} ms; close other programs on its machine, or give it more cores`,
    },
    invalid(
      'lag-max',
      'every arrival is offered in about the second it stands for (largest lag)',
      words(maxUs),
      `${limits.lagMaxMs} ms`,
      within(maxUs, limits.lagMaxMs),
    ),
  ];
}

const SECOND_US = 1e6;

/**
 * Are failures those of a crowd that the schedule does not hold, because what is held up is sent at once? Half of the failures, and twice the
 * share that chance would bring, within a second after that prove nothing.
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
  return {
    id: 'crowds',
    text: 'failures are not those of arrivals that the generator held up and sent at once',
    measured,
    limit: 'less than half, or as many as chance brings',
    holds: failedThen < failed / 2 || failed === 0 || failedThen / failed < (2 * then) / window.count,
    effect: 'invalid',
    reason: `the load generator held up arrivals and sent them at once: ${measured} came within a second after that; close other programs on its machine, or give it more cores`,
  };
}

const atMost = (id: string, text: string, value: number, limit: number, words: (value: number) => string): Judged =>
  invalid(id, text, words(value), `at most ${words(limit)}`, value <= limit);

/** The same of what a system may not show: then nobody knows that the generator was in order. */
function shownAtMost(
  id: string,
  text: string,
  value: number | null,
  limit: number,
  { words = percent, shows = 'this system does not show it' } = {},
): Judged {
  const rule = atMost(id, text, value ?? 0, limit, words);
  return value === null ? { ...rule, measured: `not measured: ${shows}`, holds: false } : rule;
}

const ofCores = (used: number | null, { cores }: CellFacts['generator']) => (used === null ? null : used / cores);

/** Was memory of the generator swapped? Decides nothing on a system that does not show it. */
function swapRule({ swap }: CellFacts['generator'], limits: CellLimits): Judged {
  const rule = {
    id: 'swap',
    text: 'memory of k6 and of the collector that was swapped',
    limit: `at most ${limits.swapKb} kB`,
    effect: 'invalid' as const,
  };
  if (swap === undefined) return { ...rule, measured: 'not measured: this system does not show it', holds: null };
  const system = swap.systemPages === null ? '' : `; ${swap.systemPages} pages of the whole system`;
  return {
    ...rule,
    measured: `k6 ${swap.k6Kb} kB, collector ${swap.collectorKb} kB${system}`,
    holds: swap.k6Kb + swap.collectorKb <= limits.swapKb,
  };
}

/** Did the process that reads the stream of k6 keep up? */
function collectorRules(generator: CellFacts['generator'], limits: CellLimits): Judged[] {
  const { collectorCpuMean, eventLoopDelayP99Ms, runners } = generator;
  const share = 'share of its core that the collector used';
  return [
    atMost('collector-cpu', share, collectorCpuMean, limits.collectorCpu, percent),
    atMost('event-loop', 'delay of the collector (p99)', eventLoopDelayP99Ms, limits.eventLoopMs, ms),
  ].map((rule) =>
    runners === undefined ? rule : { ...rule, measured: 'not applicable: runners write files', holds: null },
  );
}

/** Rules about runners of a cluster: was any held back by its CPU limit, did all run the same? None where the load came from this machine. */
function runnerRules({ runners }: CellFacts['generator'], limits: CellLimits): Judged[] {
  if (runners === undefined) return [];
  const { throttled, programs } = runners;
  return [
    shownAtMost('throttled', 'time that a runner was held back by its CPU limit', throttled, limits.throttledShare, {
      words: (share) => `${(share * 100).toFixed(1)} %`,
      shows: 'the node does not show it',
    }),
    invalid(
      'same-program',
      'programs that the runners ran: k6 and scenario by their digests',
      programs === null ? 'not measured: a digest is missing' : String(programs),
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
    shownAtMost('k6-cpu', 'share of all cores that k6 used', ofCores(k6CpuMean, generator), limits.cpuMean),
    shownAtMost('k6-cpu-max', 'the same in its busiest second', ofCores(k6CpuMax, generator), limits.cpuMax),
    ...collectorRules(generator, limits),
    ...runnerRules(generator, limits),
    swapRule(generator, limits),
    atMost('clock', 'step of the wall clock', generator.clockStepMs, limits.clockStepMs, ms),
    ...present(
      segments &&
        atMost(
          'common-start',
          `the ${segments.of} segments began together (largest difference)`,
          segments.startSpreadMs,
          limits.startSpreadMs,
          ms,
        ),
    ),
  ];
}
