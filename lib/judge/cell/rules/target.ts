import type { CellFacts, CellReport } from '../../../records/load/load.ts';
import { errorBudget, NO_SUCCESS, objectiveOf } from '../../../records/load/parts.ts';
import { DID_NOT_HOLD } from '../../../records/vocabulary.ts';
import { inFlightAt, meanInFlight } from '../../../stats/in-flight.ts';
import { percentile } from '../../../stats/percentile.ts';
import { halves, median, trendZ } from '../../../stats/trend.ts';
import { count } from '../../../text.ts';
import { type CellWindow, onTime, type SizedBucket } from '../window.ts';
import { reconcileRule, totalsRule } from './reconcile.ts';
import {
  type CellLimits,
  despiteRule,
  examplesOf,
  figure,
  invalid,
  type Judged,
  mayBeOfOthers,
  mostAnswered,
  OF_OTHERS,
  violated,
} from './rule.ts';

/** Growth in flight that proves nothing: 20 ms of arrivals, at least five transactions. */
const allowedGrowth = ({ targetPerSecond }: CellFacts['plan'], limits: CellLimits): number =>
  Math.max(limits.growthLeast, limits.growthSeconds * targetPerSecond);

const MOMENTS = 2000;
const USUAL = 0.99;

/** Id of the rule: where nothing but it is broken, a longer cell decides. */
export const END_RULE = 'in-flight-at-end';

/**
 * Does the target keep up to the end? If it falls behind in the last seconds, more is in flight at the last arrival than
 * in the first half, which medians of halves cannot see. What was in flight before, and was worked off, is no sign of it.
 */
function endRule(window: CellWindow, plan: CellFacts['plan'], limits: CellLimits): Judged {
  const early: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const middle = (window.fromUs + window.toUs) / 2;
  const every = Math.max(1, Math.ceil(window.count / 2 / MOMENTS));
  let seen = 0;
  for (const { dueUs } of window.arrivals) {
    if (dueUs < middle && seen++ % every === 0) early.push(dueUs);
    last = Math.max(last, dueUs);
  }
  // What the generator held up and sent at once is in flight for that reason.
  const [atEnd = 0, ...before] = inFlightAt(onTime(window, 1000 * limits.lagMs), [last, ...early]);
  const usual = median(before);
  const highest = percentile(Float64Array.from(before).sort(), 0, USUAL) ?? 0;
  const more = allowedGrowth(plan, limits);
  const allowed = Math.max(GROWTH_RATIO * usual, usual + more, highest);
  const measured = `${figure(atEnd)} at the last arrival; median ${figure(usual)}, p99 ${figure(highest)} in the first half`;
  return violated(END_RULE, measured, `at most ${figure(allowed)}`, before.length > 0 && atEnd <= allowed, {
    reason: `the target fell behind at the end: ${figure(atEnd)} in flight at the last arrival, median ${figure(usual)} in the first half, allowed is ${figure(allowed)}`,
  });
}

/** A boundary between buckets may fall on an arrival: one more or less in each. */
const BOUNDARY = 1;
const SLOTS = 20;
const TREND_Z = 1.645;
/** A queue that grows from the start is three times as long in the second half; a warm-up of the same length makes that 1.7. */
const GROWTH_RATIO = 1.5;

/** Failures that do not make a bucket fall short: by an objective for errors, or because all of them stand for a success. */
interface Allowed {
  readonly tolerated: boolean;
  readonly despite: boolean;
}

/**
 * Verified successes that a bucket needs: all arrivals of its schedule, up to the target, but for one at its boundary; failures only if an
 * objective for errors judges them. If arrivals are no constant rate, they are as many as fall into it.
 */
function bucketHolds(bucket: SizedBucket, plan: CellFacts['plan'], { tolerated, despite }: Allowed): boolean {
  const { targetPerSecond } = plan;
  const due = Math.floor(targetPerSecond * bucket.seconds + 1e-6);
  const served = bucket.succeeded + (tolerated ? bucket.failed : 0);
  if (plan.stretches !== undefined) return served === bucket.scheduled;
  return (
    bucket.scheduled >= due - BOUNDARY && served >= Math.min(bucket.scheduled, due) && (despite || bucket.succeeded > 0)
  );
}

function kindsOf({ arrivals }: CellWindow): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const { kind } of arrivals) if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return kinds;
}

function failuresIn(window: CellWindow, ...without: readonly string[]) {
  const kinds = [...kindsOf(window)].filter(([kind]) => !without.includes(kind));
  const failed = kinds.reduce((sum, [, number]) => sum + number, 0);
  return { failed, list: kinds.map(([kind, number]) => `${number} ${kind}`) };
}

function failureRule(window: CellWindow, facts: CellFacts): Judged {
  const { failed, list } = failuresIn(window, 'state', 'despite');
  const some = `${count(failed)} of ${count(window.count)}`;
  const kinds = failed === 0 ? '' : ` (${list.join(', ')})`;
  return violated('no-failures', `${some}${kinds}`, '0', failed === 0 && window.count > 0, {
    reason: `${some} transactions failed${kinds}${mostAnswered(facts)}`,
  });
}

/** In place of the rule that none may fail, where the run was given an objective for it. State errors are errors too. */
function errorsRule(window: CellWindow, budget: number): Judged {
  const { failed, list } = failuresIn(window, 'despite');
  const share = window.count === 0 ? 1 : failed / window.count;
  const measured = `${figure(share * 100)} % (${[`${count(failed)} of ${count(window.count)}`, ...list].join('; ')})`;
  return violated('slo-errors', measured, `${figure(budget * 100)} %`, share <= budget);
}

function rateRule(window: CellWindow, buckets: readonly SizedBucket[], plan: CellFacts['plan']): Judged {
  const { targetPerSecond } = plan;
  const kinds = kindsOf(window);
  const despite = kinds.size === 1 && kinds.has('despite');
  const tolerated = despite || errorBudget(plan.slo ?? []) !== undefined;
  const short = buckets.filter((bucket) => !bucketHolds(bucket, plan, { tolerated, despite }));
  const rates = buckets.map(({ achievedPerSecond }) => achievedPerSecond);
  const state = kinds.get('state') ?? 0;
  const named = short.map(
    ({ startSeconds, achievedPerSecond }) => `${figure(achievedPerSecond)}/s from second ${figure(startSeconds)}`,
  );
  const because = state === 0 || tolerated ? '' : `; ${state} state errors are answers, but no verified successes`;
  const measured =
    short.length === 0
      ? `lowest ${figure(Math.min(...rates))}/s of ${buckets.length} buckets`
      : `${short.length} of ${buckets.length} buckets fall short (${examplesOf(named, '')})${because}`;
  const limit = plan.stretches === undefined ? `${targetPerSecond}/s` : 'all that were due';
  return violated('rate-held', measured, limit, buckets.length > 0 && short.length === 0, {
    ...(tolerated ? { text: 'verified successes and tolerated failures reach the rate in every bucket of time' } : {}),
    ...(short.length === 0 ? {} : { reason: `too few succeeded: ${measured}, due were ${limit}` }),
  });
}

/** Does the number in flight grow? A target slower than its arrivals answers all of them, later and later. */
function stabilityRule(window: CellWindow, plan: CellFacts['plan'], limits: CellLimits): Judged {
  const width = (window.toUs - window.fromUs) / SLOTS;
  const series = width > 0 ? meanInFlight(window.transactions, window.fromUs, width, SLOTS) : [];
  const { first, second } = halves(series);
  const allowed = allowedGrowth(plan, limits);
  const grows = second > GROWTH_RATIO * first && second - first > allowed && trendZ(series) > TREND_Z;
  const measured = `median ${figure(first)} in the first half, ${figure(second)} in the second`;
  const limit = `no trend to ${GROWTH_RATIO} times that and ${figure(allowed)} more`;
  return violated('in-flight-stable', measured, limit, !grows && series.length > 0);
}

type Seen = Pick<CellFacts['readBack'], 'sampled' | 'proven' | 'mismatches'>;

/** What was answered with success and is not so, as the reason of a cell. */
const undone = ({ sampled, proven, mismatches }: Seen, when = ''): Partial<Judged> => ({
  reason: `${sampled - proven} of ${sampled} endpoints${when} are not as a success promised${examplesOf(mismatches)}`,
});

function readBackRules({ readBack }: CellFacts): Judged[] {
  const { sampled, proven, skipped, mismatches, others = 0 } = readBack;
  const isOfOthers = others === sampled - proven && mayBeOfOthers(others, sampled);
  const looked = sampled > 0 && skipped === undefined;
  const measured = `${proven} of ${sampled}${examplesOf(mismatches)}${isOfOthers ? OF_OTHERS : ''}`;
  const all = proven === sampled && mismatches.length === 0;
  return [
    invalid('read-back-done', skipped ?? `${sampled} endpoints`, 'at least 1', looked),
    isOfOthers
      ? invalid('effect-proven', measured, 'all', all)
      : violated('effect-proven', measured, 'all', all, mismatches[0] === NO_SUCCESS ? {} : undone(readBack)),
  ];
}

/** Were endpoints in the promised state during the load? If none could be read, the cell is not met, or another broken rule decides. */
function inFlightRule({ readBack: { inFlight } }: CellFacts, othersHold: boolean): Judged[] {
  if (inFlight === undefined) return [];
  const { tried, sampled, proven, late, mismatches, skipped } = inFlight;
  const id = 'effect-proven-in-flight';
  if (sampled === 0) {
    const unread =
      tried === 0 ? 'not measured: no success was there to look at' : (skipped ?? `${tried} looks told nothing`);
    return [invalid(id, unread, 'all', tried > 0 && othersHold ? false : null)];
  }
  const afterwards = late === 0 ? '' : `, ${late} of them not at the first look`;
  const given = skipped === undefined ? '' : `; given up: ${skipped}`;
  const measured = `${proven} of ${sampled}${afterwards}${examplesOf(mismatches)}${given}`;
  return [violated(id, measured, 'all', mismatches.length === 0, undone(inFlight, ' read while the load ran'))];
}

/** There only where an abort rule ended the cell: then it is not met, whatever else holds. */
function stoppedRule({ stopped }: CellFacts): Judged[] {
  if (stopped === undefined) return [];
  const why =
    stopped.rule === DID_NOT_HOLD ? 'it showed early that the rate does not hold' : 'stopped to spare the target';
  return [violated('not-stopped', stopped.text, 'none', false, { reason: `${why}: ${stopped.text}` })];
}

export function targetRules(
  facts: CellFacts,
  window: CellWindow,
  buckets: readonly SizedBucket[],
  limits: CellLimits,
): Judged[] {
  const { slo = [] } = facts.plan;
  const budget = errorBudget(slo);
  const rules = [
    ...stoppedRule(facts),
    budget === undefined ? failureRule(window, facts) : errorsRule(window, budget),
    rateRule(window, buckets, facts.plan),
    stabilityRule(window, facts.plan, limits),
    endRule(window, facts.plan, limits),
    ...readBackRules(facts),
    ...reconcileRule(facts),
    ...totalsRule(facts),
  ];
  const othersHold = rules.every(({ holds }) => holds !== false);
  return [...rules, ...inFlightRule(facts, othersHold), ...despiteRule(facts, window, othersHold)];
}

const MEMBERS = { p50: 'p50Ms', p90: 'p90Ms', p95: 'p95Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' } as const;

/** Was the response time within the objectives that were set? None unless there are any: the specification sets no limit. */
export const objectiveRules = (slo: readonly string[], response: CellReport['responseTime']): Judged[] =>
  slo.flatMap((text): Judged[] => {
    const objective = objectiveOf(text);
    if (objective === undefined) return [];
    const { percentile, limitMs } = objective;
    const value = response[MEMBERS[percentile]];
    const measured = value === null ? 'not served' : `${figure(value)} ms`;
    return [violated(`slo-${percentile}`, measured, `${figure(limitMs)} ms`, value !== null && value <= limitMs)];
  });
