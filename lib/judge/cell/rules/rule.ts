import type { CellFacts, CellReport, CellRule } from '../../../records/load/load.ts';
import type { FailureKind } from '../../../records/load/parts.ts';
import { answerWords } from '../../../said.ts';
import { type CellWindow, countOf } from '../window.ts';

/** Limits of the rules that a load cell is judged by, each with its reason. */
export const LIMITS = {
  lagMs: 10,
  /** Largest lag: beyond it an arrival was not offered in the second it stands for. */
  lagMaxMs: 1000,
  /** Lag from which an arrival was held up: those behind it are sent with it, at once. */
  heldUpMs: 50,
  cpuMean: 0.7,
  cpuMax: 0.95,
  /** Share of its one core that the collector may use: beyond it rows pile up in k6. */
  collectorCpu: 0.8,
  /** The collector takes no time itself, so a delay falsifies nothing; beyond a quarter of a second, stopping in time is at risk. */
  eventLoopMs: 250,
  /** k6 takes the difference of wall clock readings; a step of this size is as large as the lag that is allowed. */
  clockStepMs: 10,
  /** Kilobytes of k6 and the collector that may be swapped: a page that has to be fetched from disk stops the process that needs it. */
  swapKb: 0,
  /** How far apart several generators may begin: a quarter of the smallest bucket, whose rate is then off by as much at its edges. */
  startSpreadMs: 250,
  /** Share of the time that a runner may be held back by its CPU limit: one of the 100 ms periods in 10 s. */
  throttledShare: 0.01,
  /** Mean share of connections in use at dropped arrivals from which the target counts as the cause. */
  busyShare: 0.8,
  /** Growth of the number in flight between the halves that counts, as seconds of arrivals: 20 ms more per transaction. */
  growthSeconds: 0.02,
  growthLeast: 5,
};
export type CellLimits = Readonly<typeof LIMITS>;

/** A rule with the sentence that stands among the reasons when it does not hold. */
export interface Judged extends CellRule {
  readonly reason?: string;
}

const of = (percentile: string) => `${percentile} of the response time is within the objective`;

/** If one of these does not hold, the cell is invalid. */
export const OF_MEASUREMENT = {
  ran: 'the cell could be run',
  'k6-ended': 'k6 ended by itself',
  'record-consistent': 'rows and facts agree',
  'stream-whole': 'the stream of k6 is whole',
  'counts-agree': 'every started iteration is recorded',
  'schedule-whole': 'every arrival of the schedule is there',
  'no-exceptions': 'no iteration threw',
  window: 'arrivals were measured after the warm-up',
  reuse: 'an endpoint comes again only after its last request is over',
  'connections-served': 'the target answers on every connection of the cell',
  lag: 'the generator starts arrivals on time',
  'lag-max': 'every arrival is offered in about the second it stands for (largest lag)',
  crowds: 'failures are not those of arrivals that the generator held up and sent at once',
  'k6-cpu': 'share of all cores that k6 used',
  'k6-cpu-max': 'share of all cores that k6 used in its busiest second',
  'collector-cpu': 'share of its core that our own process used',
  'event-loop': 'delay of our own process, which records (p99)',
  throttled: 'time that a runner was held back by its CPU limit',
  'same-program': 'programs that the runners ran: k6 and scenario by their digests',
  swap: 'memory of k6 and of our own process that was swapped',
  clock: 'step of the wall clock',
  'common-start': 'the segments began together (largest difference)',
  'read-back-done': 'endpoints were read back',
  'own-pool': 'nobody else writes to the pool',
} as const;
export const OF_TARGET = {
  'no-drops': 'every arrival got a connection',
  'no-failures': 'no transaction failed (state errors apart)',
  'slo-p50': of('p50'),
  'slo-p90': of('p90'),
  'slo-p95': of('p95'),
  'slo-p99': of('p99'),
  'slo-p99.9': of('p99.9'),
  'slo-errors': 'the share of failed transactions is within the objective',
  'rate-held': 'verified successes reach the rate in every bucket of time',
  'in-flight-stable': 'the number in flight does not grow',
  'in-flight-at-end': 'no more is in flight at the last arrival than in the first half',
  'effect-proven': 'endpoints read back are in the state that was promised',
  'effect-proven-in-flight': 'endpoints read while the load ran are in the promised state',
  'not-stopped': 'no abort rule ended the cell',
  reconciled: 'the list shows every acknowledged transaction',
  'policies-proven': 'every endpoint of the list holds the policy that was applied',
  'totals-agree': 'the number of endpoints with a policy changed by as many as succeeded',
  'answered-with-success': 'what was carried out was answered with success',
} as const;
export const RULES = { ...OF_MEASUREMENT, ...OF_TARGET };
export type RuleId = keyof typeof RULES;

const rule =
  (effect: CellRule['effect']) =>
  (id: RuleId, measured: string, limit: string, holds: boolean | null, more: Partial<Judged> = {}): Judged => ({
    ...{ id, text: RULES[id], measured, limit, holds, effect },
    ...more,
  });

/** A rule about the record or the generator: if it does not hold, the cell proves nothing. */
export const invalid = rule('invalid');
export const violated = rule('violated');

export const reasonOf = (rule: Judged): string =>
  rule.reason ?? `this rule does not hold: ${rule.text}: ${rule.measured}, allowed is ${rule.limit}`;

export const figure = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Share of the endpoints that were read which somebody else may have put another policy on: more of them are the work of the target. */
const MOST_OF_OTHERS = 0.1;

/** True if so many endpoints with a policy that the run never put on any, and no more, say nothing of the target. */
export const mayBeOfOthers = (others: number, read: number): boolean => others > 0 && others <= MOST_OF_OTHERS * read;

export const OF_OTHERS = '; the run put no such policy on any endpoint: somebody else may have written to the pool';

/** The first of what was found, behind a sign; nothing if nothing was. */
export const examplesOf = (found: readonly string[], sign = ': '): string =>
  found.length === 0 ? '' : sign + found.slice(0, 3).join(', ');

/** What most of the failed transactions were answered, in the words of the server; empty if none is recorded. */
export function mostAnswered({ failures }: Pick<CellFacts, 'failures'>): string {
  const [most] = [...failures].sort((one, other) => other.count - one.count);
  if (most?.example === undefined) return '';
  return most.status === 0 ? `; no answer came: ${most.example}` : `; the answer was ${most.status} "${most.example}"`;
}

const STOPPING: Readonly<Record<string, FailureKind>> = { forbidden: 'auth', 'server-errors': 'server-error' };

/** Why a rule ended a cell, with what the target answered then. */
export const stopWords = ({ failures }: Pick<CellFacts, 'failures'>, { rule, text }: CellFacts['stopped'] & object) =>
  text + mostAnswered({ failures: failures.filter(({ kind }) => kind === STOPPING[rule]) });

/** Id of the rule: where it is broken, another try would be answered in the same way. */
const DESPITE_RULE = 'answered-with-success';

/** True if the cell proves no rate because the target answers an error to what it carries out. */
export const isAnsweredDespite = ({ rules }: Pick<CellReport, 'rules'>): boolean =>
  rules.some(({ id, holds }) => id === DESPITE_RULE && holds === false);

/**
 * Were transactions answered with success? Only if a look before the load showed that this target answers an error although the policy is
 * stored: no success, and not the failure that it says either. If nothing else speaks against the target, the cell decides nothing.
 */
export function despiteRule({ doneDespite, readBack }: CellFacts, window: CellWindow, othersHold: boolean): Judged[] {
  if (doneDespite === undefined) return [];
  const answer = answerWords(doneDespite.status, doneDespite.says);
  const count = countOf(window.arrivals, ({ kind }) => kind === 'despite');
  const measured = `${count} of ${window.count} answered ${answer} although the policy was stored or removed`;
  const proof = readBack.sampled > 0 ? ` (${readBack.proven} of ${readBack.sampled} endpoints read back show it)` : '';
  const reason = `${measured}${proof}: no rate of successes can be proven`;
  return [(othersHold ? invalid : violated)(DESPITE_RULE, measured, '0', count === 0, { reason })];
}

/** Rules that somebody may break who applies and clears policies on endpoints of the pool; a rate is short by the state errors of these. */
const OF_ENDPOINTS: ReadonlySet<string> = new Set<RuleId>([
  ...(['effect-proven', 'effect-proven-in-flight', 'reconciled', 'policies-proven'] as const),
  ...(['totals-agree', 'rate-held', 'slo-errors', 'not-stopped'] as const),
]);

/** True if nothing speaks against the target that somebody who writes to the pool too cannot have brought about. */
export function mayBeOfPool({
  rules,
  facts,
}: {
  readonly rules: CellReport['rules'];
  readonly facts: CellFacts;
}): boolean {
  const broken = rules.filter(({ holds, effect }) => holds === false && effect === 'violated');
  return (
    broken.length > 0 &&
    broken.every(({ id }) => OF_ENDPOINTS.has(id)) &&
    facts.failures.every(({ kind }) => kind === 'state')
  );
}

/** There only where somebody else was seen to write to the pool, and nothing else speaks against the target: then the cell proves nothing. */
export function ownPoolRule(facts: CellFacts, rules: readonly Judged[]): Judged[] {
  const { sharedPool: reason } = facts;
  if (reason === undefined || !mayBeOfPool({ rules: [...rules], facts })) return [];
  return [invalid('own-pool', 'no', 'yes', false, { reason })];
}
