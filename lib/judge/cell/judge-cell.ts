import { defined } from '../../defined.ts';
import {
  type CellFacts,
  type CellReport,
  OUTCOME,
  type Samples,
  type Stall,
  UNSERVED,
} from '../../records/load/load.ts';
import { meanInFlight } from '../../stats/in-flight.ts';
import { type LatencySummary, summarizeLatency } from '../../stats/latency.ts';
import { median } from '../../stats/trend.ts';
import { connectionsRule, dropRule, recordRules } from './rules/drop.ts';
import { generatorRules, lagFigures } from './rules/generator.ts';
import { type CellLimits, type Judged, LIMITS, ownPoolRule, reasonOf } from './rules/rule.ts';
import { objectiveRules, targetRules } from './rules/target.ts';
import {
  type Arrival,
  type CellWindow,
  cellBuckets,
  cellWindow,
  column,
  countOf,
  settledSeconds,
  stallsOf,
} from './window.ts';

const US_PER_MS = 1000;

function failuresIn({ fromUs, toUs }: CellWindow, facts: CellFacts, samples: Samples | null): CellReport['failures'] {
  const timesMs: number[][] = facts.failures.map(() => []);
  for (let row = 0; samples !== null && row < samples.outcome.length; row += 1) {
    const index = (samples.outcome[row] ?? 0) - OUTCOME.firstFailure;
    const dueUs = samples.dueUs[row] ?? -1;
    const serviceUs = samples.serviceUs[row] ?? UNSERVED;
    if (dueUs >= fromUs && dueUs < toUs)
      timesMs[index]?.push(serviceUs === UNSERVED ? Number.NaN : serviceUs / US_PER_MS);
  }
  return facts.failures.flatMap(({ count: _, ...failure }, index) => {
    const times = timesMs[index] ?? [];
    const known = times.filter((time) => !Number.isNaN(time));
    const looked = facts.readBack.refused?.find((one) => one.failure === index);
    const effect = looked && { looked: looked.looked, done: looked.done };
    const p50Ms = known.length === 0 ? undefined : median(known);
    return times.length === 0 ? [] : [{ ...failure, count: times.length, ...defined({ p50Ms, effect }) }];
  });
}

const isServed = ({ fate }: Arrival) => fate === 'succeeded';

/** Service time of the successes. One latency after the other: the columns of hours of arrivals are large. */
function serviceTimeOf({ arrivals, count }: CellWindow): LatencySummary {
  const of = (pick: (arrival: Arrival) => number) =>
    column(arrivals, count, (arrival) => (isServed(arrival) ? pick(arrival) : undefined));
  return summarizeLatency({ valuesUs: of(({ serviceUs }) => serviceUs), atUs: of(({ dueUs }) => dueUs) });
}

/** Response time of the successes, with every other arrival ranked above them. */
function responseTimeOf({ arrivals, count }: CellWindow): LatencySummary {
  const valuesUs = column(arrivals, count, (one) => (isServed(one) ? one.responseUs : Number.POSITIVE_INFINITY));
  return summarizeLatency({ valuesUs, atUs: column(arrivals, count, ({ dueUs }) => dueUs) });
}

function figuresOf(window: CellWindow, facts: CellFacts, samples: Samples | null, stalls: readonly Stall[]) {
  const scheduled = window.count;
  const serviceTime = serviceTimeOf(window);
  const succeeded = serviceTime.count;
  const dropped = countOf(window.arrivals, ({ fate }) => fate === 'dropped');
  const started = scheduled - dropped;
  const perSecond = (count: number) => (window.seconds > 0 ? count / window.seconds : 0);
  const whole = window.toUs - window.fromUs;
  const [inFlightMean = 0] = whole > 0 ? meanInFlight(window.transactions, window.fromUs, whole, 1) : [];
  return {
    ...{ scheduled, started, dropped, succeeded },
    failed: started - succeeded,
    failures: failuresIn(window, facts, samples),
    offeredPerSecond: perSecond(started),
    achievedPerSecond: perSecond(succeeded),
    serviceTime,
    responseTime: responseTimeOf(window),
    lag: lagFigures(window),
    inFlightMean,
    stalls: [...stalls],
  };
}

/**
 * Judges one try of a cell from its facts and samples alone. Met needs every rule to hold; one about the record or the generator
 * that does not makes the cell invalid before any about the target counts. In the response time, dropped and failed arrivals
 * rank above the successes. The specification sets no limit on latency: only the objectives that the run was given judge it.
 */
export function judgeCell(facts: CellFacts, samples: Samples | null): CellReport {
  const limits: CellLimits = { ...LIMITS, lagMs: facts.plan.lagLimitMs ?? LIMITS.lagMs };
  const window = cellWindow(facts, samples);
  const buckets = cellBuckets(window, facts.plan.bucketSeconds);
  const generator = [
    ...recordRules(facts, samples, window),
    ...connectionsRule(facts),
    ...generatorRules(facts, window, limits),
  ];
  const stalls = stallsOf(window, facts.plan.targetPerSecond, limits.lagMs * US_PER_MS);
  const figures = figuresOf(window, facts, samples, stalls);
  const measured = [
    ...generator,
    dropRule(facts, window, { generatorHolds: generator.every(({ holds }) => holds !== false), stalls }, limits),
    ...targetRules(facts, window, buckets, limits),
    ...objectiveRules(facts.plan.slo ?? [], figures.responseTime),
  ];
  const rules = [...measured, ...ownPoolRule(facts, measured)];
  const brokenBy = (one: Judged['effect']) => rules.filter(({ holds, effect }) => holds === false && effect === one);
  const [invalid, violated] = [brokenBy('invalid'), brokenBy('violated')];
  const isDropped = violated.some(({ id: of }) => of === 'no-drops');
  const { id, profile, operation, attempt } = facts;
  return {
    ...{ id, profile, operation },
    // A generator at fault proves nothing about the target, for or against.
    verdict: invalid.length > 0 ? 'invalid' : violated.length > 0 ? 'violated' : 'met',
    // Arrivals without a connection are missing in their buckets too; so is all of a cell that could not be run.
    reasons: [...invalid, ...violated.filter(({ id: of }) => !isDropped || of !== 'rate-held')]
      .slice(0, facts.fault === undefined && (window.count > 0 || facts.stopped === undefined) ? undefined : 1)
      .map(reasonOf),
    rules: rules.map(({ reason: _, ...rule }) => rule),
    attempt,
    ...figures,
    ...defined({ settledSeconds: settledSeconds(facts, samples) }),
    buckets: buckets.map(({ seconds: _, ...bucket }) => bucket),
    facts,
  };
}
