import { defined } from '../../defined.ts';
import { present } from '../../present.ts';
import { statementText } from '../../records/answer.ts';
import type { CapacityAnswer, CapacityRate, Confirmation, Limiter, Refusal } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { unseenShare } from '../../stats/anytime.ts';
import { median } from '../../stats/trend.ts';
import { counted, percent, rate } from '../../text.ts';
import { atEndOf, recoveryOf } from './recovery.ts';
import { bracketOf, carriedBy, decidingSteps, isSettled, type Tally, type Trial, tallies, trialOf } from './trial.ts';

/** Less than this share of the claim is done under too many arrivals, where a target collapses. */
const COLLAPSED = 0.7;

type Seen = Omit<Refusal, 'fromPerSecond' | 'cell'>;

function waysOf(step: CellReport, heldPerSecond: number | null): Seen[] {
  const { failures, started, scheduled, dropped, facts, serviceTime } = step;
  const { sampled, proven, skipped } = facts.readBack;
  const refused = failures.map(({ count, ...failure }) => ({ ...failure, mostShare: count / Math.max(1, started) }));
  const carried = carriedBy(step);
  const lost = skipped === undefined && proven > 0 ? sampled - proven : 0;
  const collapsed = carried !== null && heldPerSecond !== null && carried < COLLAPSED * heldPerSecond;
  const queued = defined({ mostShare: dropped / Math.max(1, scheduled), p50Ms: serviceTime.p50Ms ?? undefined });
  const effect = { looked: sampled, done: proven };
  return present<Seen>(
    ...refused,
    carried !== null && dropped > 0 && failures.length === 0 && { kind: 'queued', status: 0, ...queued },
    collapsed && { kind: 'collapse', status: 0, mostShare: 1 - carried / heldPerSecond },
    lost > 0 && { kind: 'lost', status: 0, mostShare: lost / sampled, effect },
  );
}

const keyOf = ({ kind, status, errorCode, body, retryAfter }: Seen) =>
  [kind, status, errorCode, body, retryAfter !== undefined].join(' ');

/** Two looks at one way as one: the cell with the larger share speaks, and all endpoints that were looked at count. */
function joined(one: Refusal | undefined, other: Refusal): Refusal {
  if (one === undefined) return other;
  const [less, more] = [one, other].sort((a, b) => a.mostShare - b.mostShare) as [Refusal, Refusal];
  const sum = (key: 'looked' | 'done') => (one.effect?.[key] ?? 0) + (other.effect?.[key] ?? 0);
  const effect = (one.effect ?? other.effect) ? { looked: sum('looked'), done: sum('done') } : undefined;
  const fromPerSecond = Math.min(less.fromPerSecond, more.fromPerSecond);
  return { ...more, fromPerSecond, ...defined({ effect }) };
}

/** How a target refuses what is too much for it, by the rate at which each way begins, from the valid steps of a search. */
export function refusalsOf(steps: readonly CellReport[], heldPerSecond: number | null): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const step of steps) {
    if (step.verdict === 'invalid') continue;
    const { stretches = [], targetPerSecond } = step.facts.plan;
    const fromPerSecond = Math.max(targetPerSecond, ...stretches.map(({ ratePerSecond }) => ratePerSecond));
    for (const way of waysOf(step, heldPerSecond)) {
      const key = keyOf(way);
      found.set(key, joined(found.get(key), { ...way, fromPerSecond, cell: step.id }));
    }
  }
  return [...found.values()].sort((a, b) => a.fromPerSecond - b.fromPerSecond || b.mostShare - a.mostShare);
}

const SPELL_SECONDS = 5;

/** The last confirmation of those that proved something: its rate holds, or none did. */
export function confirmationOf(trials: readonly Trial[]): Confirmation | null {
  const tried = trials.filter(({ purpose }) => purpose === 'confirm');
  const last = tried.findLast(({ outcome }) => outcome !== 'invalid') ?? tried.at(-1);
  if (last === undefined) return null;
  const { ratePerSecond, outcome, seconds = 0, stalls = [] } = last;
  return {
    ...{ ratePerSecond, seconds, outcome, stalls: stalls.length },
    unseenShare: outcome === 'held' ? unseenShare(Math.floor(seconds / SPELL_SECONDS)) : 1,
    steppedDown: new Set(tried.map((one) => one.ratePerSecond)).size - 1,
  };
}

/**
 * Why arrivals are dropped near the knee, as most of the steps that failed for being slow say. Against stalls
 * more connections carry more; a target that gets no more done only queues longer. Null if no step failed so.
 */
export function limiterOf(trials: readonly Trial[]): Limiter | null {
  const slow = trials.filter(
    ({ outcome, carriedPerSecond, tailPerSecond }) =>
      outcome === 'failed' && (carriedPerSecond !== undefined || tailPerSecond !== undefined),
  );
  if (slow.length === 0) return null;
  const stalled = slow.filter(({ stallLimited }) => stallLimited === true).length;
  const lengths = trials.flatMap(({ stalls = [] }) => stalls.map(({ ms }) => ms));
  return {
    kind: stalled * 2 > slow.length ? 'stalls' : 'throughput',
    stalls: lengths.length,
    medianMs: lengths.length === 0 ? null : median(lengths),
    longestMs: lengths.length === 0 ? null : Math.max(...lengths),
  };
}

function rateOf({ holds: _, ...tally }: Tally, steps: readonly CellReport[]): CapacityRate {
  const own = steps.filter(({ facts }) => facts.plan.targetPerSecond === tally.ratePerSecond);
  const shown = own.filter(({ verdict }) => verdict !== 'invalid').at(-1) ?? own.at(-1);
  return {
    ...tally,
    achievedPerSecond: shown?.achievedPerSecond ?? 0,
    carriedPerSecond: shown === undefined ? null : carriedBy(shown),
    serviceP50Ms: shown?.serviceTime.p50Ms ?? null,
    responseP50Ms: shown?.responseTime.p50Ms ?? null,
    responseP99Ms: shown?.responseTime.p99Ms ?? null,
    fewSamples: [...(shown?.responseTime.fewSamples ?? [])],
  };
}

type Found = Pick<CapacityAnswer, 'heldPerSecond' | 'limit'> & {
  /** Two steps agree that the highest rate held, and that the first above it did not. */
  readonly lowSettled: boolean;
  readonly highSettled: boolean;
  readonly confirmation: Confirmation | null;
};

/** Met and violated need two steps that agree on that side of the knee, or a confirmation that decided. */
function verdictOf(
  { heldPerSecond, lowSettled, highSettled, limit, confirmation }: Found,
  target: number,
): CapacityAnswer['verdict'] {
  const confirmed = confirmation !== null && confirmation.outcome !== 'invalid';
  if (confirmation !== null && !confirmed) return 'invalid';
  // The search was cut, or gave up, before it came down to the specification's rate: nothing is known of that one.
  if (confirmation?.outcome === 'failed' && confirmation.ratePerSecond > target) return 'invalid';
  if (heldPerSecond !== null && heldPerSecond >= target) return confirmed || lowSettled ? 'met' : 'invalid';
  return confirmed || (limit === 'target' && highSettled) ? 'violated' : 'invalid';
}

/** The rate that is claimed: the one that was confirmed; where none was asked for, the highest that two steps held. */
function claimOf(low: Tally | null, confirmation: Confirmation | null): number | null {
  if (confirmation === null || confirmation.outcome === 'invalid') return low?.ratePerSecond ?? null;
  return confirmation.outcome === 'held' ? confirmation.ratePerSecond : null;
}

/** The answer of one search, from its judged steps alone; all of one profile and operation. At least one is needed. */
export function capacityAnswer(steps: readonly CellReport[], targetPerSecond: number): CapacityAnswer {
  const deciding = decidingSteps(steps);
  const of = (purpose: string) => deciding.filter(({ facts }) => facts.step?.purpose === purpose);
  const search = of('search');
  const [first] = steps;
  if (first === undefined) throw new RangeError('a capacity needs a step');
  const { connections } = (search[0] ?? first).facts.plan;
  const trials = search.map(trialOf);
  const { low, high } = bracketOf(trials);
  const confirms = of('confirm').map(trialOf);
  const confirmation = confirmationOf(confirms);
  const [lowSettled, highSettled] = [low, high].map((side) => side === null || isSettled(side)) as [boolean, boolean];
  const heldPerSecond = claimOf(low, confirmation);
  // A rate that short steps held and no long run did is a bound too.
  const short = confirms.filter(
    ({ outcome, ratePerSecond }) => outcome === 'failed' && ratePerSecond > (heldPerSecond ?? 0),
  );
  const bounds = [...short, ...(high === null ? [] : [high])].map(({ ratePerSecond }) => ratePerSecond);
  const failedPerSecond = bounds.length === 0 ? null : Math.min(...bounds);
  const limit = short.length > 0 || (high?.failed ?? 0) > 0 ? 'target' : high === null ? 'end' : 'generator';
  const failing = [...search, ...of('confirm')].filter(({ verdict }) => verdict !== 'met');
  const above = failing.filter(({ facts }) => facts.plan.targetPerSecond === failedPerSecond);
  const own = deciding.filter(({ facts }) => facts.plan.connections === connections);
  const refusals = refusalsOf(own, heldPerSecond);
  const { k6CpuMax = null, cores = 1 } = above.at(-1)?.facts.generator ?? {};
  const { profile, operation } = first;
  return {
    profile,
    operation,
    verdict: verdictOf({ heldPerSecond, lowSettled, highSettled, limit, confirmation }, targetPerSecond),
    targetPerSecond,
    connections,
    heldPerSecond,
    failedPerSecond,
    limit,
    atLeast: heldPerSecond !== null && (limit !== 'target' || !highSettled) && (confirmation?.steppedDown ?? 0) === 0,
    headroom: heldPerSecond === null ? null : heldPerSecond / targetPerSecond,
    reasons: above.at(-1)?.reasons ?? [],
    k6CpuShare: limit === 'generator' && k6CpuMax !== null ? k6CpuMax / cores : null,
    rates: tallies(trials).map((tally) => rateOf(tally, search)),
    settled: lowSettled && highSettled,
    searchedPerSecond: low?.ratePerSecond ?? null,
    ...defined({
      poolAllowsPerSecond: first.facts.step?.poolAllowsPerSecond,
      atEnd: atEndOf(own) ?? undefined,
      refusals: refusals.length === 0 ? undefined : refusals,
      recovery: recoveryOf(of('recovery')) ?? undefined,
      limiter: limiterOf([...trials, ...confirms]) ?? undefined,
      confirmation: confirmation ?? undefined,
    }),
  };
}

/** Below this share of all cores k6 was not short of processor time by its own work. */
const IDLE_SHARE = 0.5;

function above(answer: CapacityAnswer): string[] {
  const { failedPerSecond, rates, reasons, limit, k6CpuShare, poolAllowsPerSecond } = answer;
  const { searchedPerSecond, confirmation } = answer;
  if (failedPerSecond === null) {
    const isPoolUsed = rates.some(({ ratePerSecond }) => ratePerSecond === poolAllowsPerSecond);
    const why = isPoolUsed ? ': the pool has too few endpoints for one; name more of them to search on' : '';
    return [`no higher rate was offered${why}`];
  }
  const offered = `${rate(failedPerSecond)}/s`;
  const because = reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  if (limit === 'generator') {
    const calm =
      k6CpuShare === null || k6CpuShare >= IDLE_SHARE
        ? ''
        : `; k6 used at most ${percent(k6CpuShare)} of the processors, so something else on its machine or network kept it from its schedule: search again when that is calm`;
    return [`${offered} was not measured validly${because}; the generator was the limit${calm}`];
  }
  const carried = rates.find(({ ratePerSecond }) => ratePerSecond === failedPerSecond)?.carriedPerSecond ?? null;
  const isLong = failedPerSecond <= (searchedPerSecond ?? 0) && confirmation !== undefined;
  const how = isLong ? ' in a long run' : '';
  return carried === null
    ? [`${offered} did not hold${how}${because}`]
    : [`at ${offered} offered, the target completed ${rate(carried)}/s and a backlog built up`];
}

function confirmed({ confirmation, searchedPerSecond }: CapacityAnswer): string[] {
  if (confirmation === undefined || confirmation.outcome === 'invalid') return [];
  const { steppedDown, stalls, unseenShare, outcome } = confirmation;
  return present(
    outcome === 'held' &&
      `by the long run, at least ${percent(1 - unseenShare)} of spells of ${SPELL_SECONDS} s hold (95 % confidence)`,
    stalls > 0 && `${counted(stalls, 'stall')} of the target in the long run`,
    steppedDown !== 0 && `before it, ${counted(steppedDown, 'higher rate')} did not hold in a long run`,
    searchedPerSecond != null && `steps of seconds held ${rate(searchedPerSecond)}/s`,
  );
}

/** What else a search showed beside its answer, each in a sentence that its facts make true. */
export function capacityDetails(answer: CapacityAnswer): readonly string[] {
  const stalls =
    answer.limiter?.kind === 'stalls' ? ['arrivals are dropped during stalls: more connections carry more'] : [];
  return [...confirmed(answer), ...stalls, ...above(answer)];
}

export const capacityText = (answer: CapacityAnswer): string =>
  [...(answer.said === undefined ? [] : [statementText(answer.said)]), ...capacityDetails(answer)].join('; ');
