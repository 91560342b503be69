import { counted } from '../../../numbers.ts';
import type { CellFacts } from '../../../records/load/load.ts';
import { OUTCOME, type Samples } from '../../../records/load/samples.ts';
import { K6_STOPPED } from '../../../records/vocabulary.ts';
import { refusedWords } from '../sizing.ts';
import { type CellWindow, isInterrupted } from '../window.ts';
import { invalid, type Judged } from './rule.ts';

/** A boundary may fall on an arrival. Arrivals after the end do not count. */
const SCHEDULE_TOLERANCE = 1;
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
  invalid(
    'k6-ended',
    'k6 ended in order when it was stopped',
    exitCode === null ? 'no exit code' : `exit code ${exitCode}`,
    `exit code ${K6_STOPPED}`,
    exitCode === K6_STOPPED || exitCode === 0,
  );

/** Is the record of the cell whole, and is there anything in it? Every rule fails where there are no samples. */
export function recordRules(facts: CellFacts, samples: Samples | null, window: CellWindow): Judged[] {
  const wrong = samples === null ? 'no samples' : String(contradictions(facts, samples));
  const consistent = invalid('record-consistent', 'rows and facts agree', wrong, '0 contradictions', wrong === '0');
  if (facts.stopped !== undefined) return [endedWhenStopped(facts), consistent];
  const { counts, generator, plan } = facts;
  const expected =
    plan.stretches?.reduce((sum, { seconds, ratePerSecond }) => sum + seconds * ratePerSecond, 0) ??
    plan.targetPerSecond * plan.durationSeconds;
  const rows = samples?.dueUs.length ?? 0;
  const inTime =
    samples?.dueUs.reduce((count, dueUs) => (dueUs < plan.durationSeconds * US ? count + 1 : count), 0) ?? 0;
  const ended = generator.signal ?? (generator.exitCode === null ? 'no exit code' : `exit code ${generator.exitCode}`);
  const once = counts.started > 0 && counts.started + (facts.ramp?.arrivals ?? 0) <= plan.poolSize;
  const whole = counts.started === counts.recorded && counts.scheduled === counts.started + counts.dropped;
  return [
    {
      ...invalid('ran', 'the cell could be run', facts.fault ?? 'yes', 'yes', facts.fault === undefined),
      reason: `the cell could not be run: ${facts.fault}`,
    },
    {
      ...invalid(
        'k6-ended',
        'k6 ended by itself',
        ended,
        'exit code 0',
        generator.exitCode === 0 && generator.signal === null,
      ),
      ...(isInterrupted(facts) ? { reason: `interrupted after ${window.toUs / US} of ${plan.durationSeconds} s` } : {}),
    },
    invalid(
      'stream-whole',
      'the stream of k6 is whole',
      generator.streamComplete ? 'yes' : 'cut',
      'yes',
      generator.streamComplete,
    ),
    invalid(
      'counts-agree',
      'every started iteration is recorded',
      `${counts.scheduled} scheduled, ${counts.started} started, ${counts.dropped} dropped, ${counts.recorded} recorded, ${rows} rows`,
      'scheduled = started + dropped = rows, recorded = started',
      whole && rows === counts.scheduled,
    ),
    consistent,
    invalid(
      'schedule-whole',
      'every arrival of the schedule is there',
      String(inTime),
      `${expected} ± ${SCHEDULE_TOLERANCE}`,
      Math.abs(inTime - expected) <= SCHEDULE_TOLERANCE,
    ),
    invalid('no-exceptions', 'no iteration threw', String(counts.exceptions), '0', counts.exceptions === 0),
    invalid(
      'window',
      'arrivals were measured after the warm-up',
      `${window.count} in ${window.seconds} s`,
      `some, over at least one bucket of ${plan.bucketSeconds} s`,
      window.count > 0 && window.seconds >= plan.bucketSeconds,
    ),
    invalid(
      'reuse',
      'an endpoint comes again only after its last request is over',
      once ? 'none comes twice' : `after ${plan.reuseSeconds} s`,
      `at least ${plan.timeoutMs / 1000} s`,
      once || plan.reuseSeconds >= plan.timeoutMs / 1000,
    ),
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
  return [
    {
      id: 'connections-served',
      text: 'the target answers on every connection of the cell',
      measured: words,
      limit: counted(used, 'connection'),
      holds: used <= refused.served || lost === 0,
      effect: 'invalid',
      reason,
    },
  ];
}
