import { type CellFacts, OUTCOME, type Samples, type Stall, UNSERVED } from '../../../records/load/load.ts';
import { K6_STOPPED } from '../../../records/vocabulary.ts';
import { inFlightAt } from '../../../stats/in-flight.ts';
import { meanOf } from '../../../stats/spread.ts';
import { median } from '../../../stats/trend.ts';
import { count, counted, millis } from '../../../text.ts';
import { refusedWords } from '../sizing.ts';
import { type CellWindow, column, duringStall, isInterrupted, onTime, stallWords } from '../window.ts';
import { ADVICE } from './generator.ts';
import { type CellLimits, invalid, type Judged, violated } from './rule.ts';

const US_PER_MS = 1000;
const US = 1e6;

/** A service time that rises by this factor from the first third of the window to the last is that of a growing queue. */
const QUEUE_FACTOR = 1.5;
/** So many times what an answer took before the load, most of it is waiting; the connections are planned for twice as much. */
const CROWDED_FACTOR = 4;

/** Times that transactions held their connections, in order of their intended start, microseconds. */
const heldUs = ({ arrivals, count }: CellWindow): Float64Array =>
  column(arrivals, count, ({ lagUs, responseUs }) =>
    lagUs === UNSERVED || responseUs === UNSERVED ? undefined : responseUs - lagUs,
  );

const millisOf = (us: number): number => Math.round(us / US_PER_MS);

/** How it shows that requests wait within the target, if they do: against that, more connections do nothing. */
function queueWords(held: Float64Array, aloneMs: number | undefined): string | undefined {
  const third = Math.floor(held.length / 3);
  const [first, last] = [median(held.subarray(0, third)), median(held.subarray(held.length - third))];
  if (last > QUEUE_FACTOR * first)
    return `its answers took ${millisOf(first)} ms at first and ${millisOf(last)} ms at the end`;
  const usual = median(held);
  return aloneMs !== undefined && usual > CROWDED_FACTOR * aloneMs * US_PER_MS
    ? `its answers took ${millis(aloneMs)} before the load and ${millisOf(usual)} ms under it`
    : undefined;
}

/** Little's law in words: how many transactions so many connections carry at this service time; how many are needed, unless they may wait in a queue, as in a step of a search. */
export function littleSentence(connections: number, meanUs: number, targetPerSecond: number, queues: boolean): string {
  const bound = Math.floor((connections * US) / meanUs);
  const needed = queues
    ? ''
    : `; ${targetPerSecond}/s needs ${Math.ceil((targetPerSecond * meanUs) / US)} (Little's law)`;
  const carried = `${counted(connections, 'connection')} at ${millisOf(meanUs)} ms mean service time can carry at most ${bound}/s`;
  return bound < targetPerSecond ? carried + needed : `all were busy at times, although ${carried}`;
}

/** Mean share of the connections that transactions used at the drops; those of a held-up generator are its own doing. */
function busyShare(window: CellWindow, moments: readonly number[], connections: number, lateUs: number) {
  return meanOf(inFlightAt(onTime(window, lateUs), moments)) / connections;
}

const STALLED_SHARE = 0.9;

/** Why connections were missing: the target stopped answering for a while, or it is too slow for so many. */
function targetReason(
  facts: CellFacts,
  window: CellWindow,
  moments: readonly number[],
  stalls: readonly Stall[],
): string {
  const { connections, targetPerSecond } = facts.plan;
  const { refused, latencyMs } = facts.sizing ?? {};
  const cap = refused === undefined ? '' : `${refusedWords(refused)}; `;
  const measured = `${count(moments.length)} of ${count(window.count)} dropped`;
  const inside = moments.filter((moment) => duringStall(stalls, moment)).length;
  if (stalls.length > 0 && inside >= STALLED_SHARE * moments.length) {
    const rest = moments.length === inside ? 'none' : `${moments.length - inside}`;
    return `${cap}the target stalled ${stallWords(stalls)}, longer than ${counted(connections, 'connection')} can ride out at ${targetPerSecond}/s: ${measured}, ${rest} of them at another time`;
  }
  const held = heldUs(window);
  const slow = `${cap}the target is too slow for ${counted(connections, 'connection')}: ${measured}`;
  const queue = queueWords(held, latencyMs);
  if (queue !== undefined) return `${slow}; ${queue}: requests wait within the target`;
  return `${slow}; ${littleSentence(connections, meanOf([...held]), targetPerSecond, latencyMs === undefined)}`;
}

/** Were all arrivals started? The target is to blame for drops if the connections were busy and the generator was on time. */
export function dropRule(
  facts: CellFacts,
  window: CellWindow,
  { generatorHolds, stalls }: { readonly generatorHolds: boolean; readonly stalls: readonly Stall[] },
  limits: CellLimits,
): Judged {
  const { connections } = facts.plan;
  const moments: number[] = [];
  for (const { fate, dueUs } of window.arrivals) if (fate === 'dropped') moments.push(dueUs);
  const measured = `${count(moments.length)} of ${count(window.count)} dropped`;
  if (moments.length === 0) return invalid('no-drops', measured, '0 dropped', window.count > 0);
  const share = busyShare(window, moments, connections, limits.lagMs * US_PER_MS);
  if (generatorHolds && share >= limits.busyShare)
    return violated('no-drops', measured, '0 dropped', false, { reason: targetReason(facts, window, moments, stalls) });
  const used = `${Math.round(share * 100)} % of ${counted(connections, 'connection')} in use by requests sent on time`;
  const heldUp = `the load generator was held up: ${measured} at moments with ${used}; ${ADVICE}`;
  const reason = generatorHolds ? heldUp : `${measured} while the load generator was not in order`;
  return invalid('no-drops', measured, '0 dropped', false, { reason });
}

/** A boundary may fall on an arrival. Arrivals after the end do not count. */
const TOLERANCE = 1;

/** How many rows contradict the facts: rows without a class, classes counted otherwise than they occur. */
function contradictions(facts: CellFacts, samples: Samples): number {
  const found = facts.failures.map(() => 0);
  let strays = 0;
  let dropped = 0;
  for (const outcome of samples.outcome) {
    if (outcome === OUTCOME.dropped) dropped += 1;
    const index = outcome - OUTCOME.firstFailure;
    if (index < 0) continue;
    if (index < found.length) found[index] = (found[index] ?? 0) + 1;
    else strays += 1;
  }
  const miscounted = facts.failures.filter(({ count }, index) => count !== found[index]).length;
  return strays + miscounted + Math.abs(dropped - facts.counts.dropped);
}

/** A cell that an abort rule ended has to have ended in order: what there is of its record is true; it cannot be whole. */
const endedWhenStopped = ({ generator: { exitCode } }: CellFacts): Judged =>
  invalid('k6-ended', endOf(exitCode), `exit code ${K6_STOPPED}`, exitCode === K6_STOPPED || exitCode === 0, {
    text: 'k6 ended in order when it was stopped',
  });

const endOf = (exitCode: number | null): string => (exitCode === null ? 'no exit code' : `exit code ${exitCode}`);

/** Is the record of the cell whole, and is there anything in it? Every rule fails where there are no samples. */
export function recordRules(facts: CellFacts, samples: Samples | null, window: CellWindow): Judged[] {
  const wrong = samples === null ? 'no samples' : String(contradictions(facts, samples));
  const consistent = invalid('record-consistent', wrong, '0 contradictions', wrong === '0');
  if (facts.stopped !== undefined) return [endedWhenStopped(facts), consistent];
  const { counts, generator, plan } = facts;
  const expected =
    plan.stretches?.reduce((sum, { seconds, ratePerSecond }) => sum + seconds * ratePerSecond, 0) ??
    plan.targetPerSecond * plan.durationSeconds;
  const rows = samples?.dueUs.length ?? 0;
  const inTime =
    samples?.dueUs.reduce((count, dueUs) => (dueUs < plan.durationSeconds * US ? count + 1 : count), 0) ?? 0;
  const { exitCode, signal, streamComplete } = generator;
  const once = counts.started > 0 && counts.started + (facts.ramp?.arrivals ?? 0) <= plan.poolSize;
  const whole = counts.started === counts.recorded && counts.scheduled === counts.started + counts.dropped;
  const { scheduled, started, dropped, recorded, exceptions } = counts;
  const all = `${scheduled} scheduled, ${started} started, ${dropped} dropped, ${recorded} recorded, ${rows} rows`;
  const agree = 'scheduled = started + dropped = rows, recorded = started';
  const some = `some, over at least one bucket of ${plan.bucketSeconds} s`;
  const interrupted = `interrupted after ${window.toUs / US} of ${plan.durationSeconds} s`;
  const again = once ? 'none comes twice' : `after ${plan.reuseSeconds} s`;
  return [
    invalid('ran', facts.fault ?? 'yes', 'yes', facts.fault === undefined, {
      reason: `the cell could not be run: ${facts.fault}`,
    }),
    invalid('k6-ended', signal ?? endOf(exitCode), 'exit code 0', exitCode === 0 && signal === null, {
      ...(isInterrupted(facts) ? { reason: interrupted } : {}),
    }),
    invalid('stream-whole', streamComplete ? 'yes' : 'cut', 'yes', streamComplete),
    invalid('counts-agree', all, agree, whole && rows === scheduled),
    consistent,
    invalid('schedule-whole', `${inTime}`, `${expected} ± ${TOLERANCE}`, Math.abs(inTime - expected) <= TOLERANCE),
    invalid('no-exceptions', `${exceptions}`, '0', exceptions === 0),
    invalid(
      'window',
      `${window.count} in ${window.seconds} s`,
      some,
      window.count > 0 && window.seconds >= plan.bucketSeconds,
    ),
    invalid('reuse', again, `at least ${plan.timeoutMs / 1000} s`, once || plan.reuseSeconds >= plan.timeoutMs / 1000),
  ];
}

/** Did the target answer on all connections of the cell, if it refuses some? Connections beyond a cap prove nothing about the rate. */
export function connectionsRule({ sizing, plan, failures }: CellFacts): Judged[] {
  if (sizing?.refused === undefined) return [];
  const { refused, beside } = sizing;
  const lost = failures.reduce((sum, { kind, count }) => (kind === 'transport' ? sum + count : sum), 0);
  const used = plan.connections + beside;
  const words = refusedWords(refused);
  const reason = `${words}: the cell used ${plan.connections} and ${beside} beside them, and ${counted(lost, 'transaction')} got no answer`;
  const holds = used <= refused.served || lost === 0;
  return [invalid('connections-served', words, counted(used, 'connection'), holds, { reason })];
}
