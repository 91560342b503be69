import { counted } from '../../../numbers.ts';
import type { CellFacts } from '../../../records/load/load.ts';
import { OUTCOME, type Samples } from '../../../records/load/samples.ts';
import { K6_STOPPED } from '../../../records/vocabulary.ts';
import { refusedWords } from '../sizing.ts';
import { type CellWindow, isInterrupted } from '../window.ts';
import { invalid, type Judged } from './rule.ts';

/** A boundary may fall on an arrival. Arrivals after the end do not count. */
const TOLERANCE = 1;
const US = 1e6;

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
