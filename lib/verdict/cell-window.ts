import type { CellFacts, FailureKind } from '../records/load.ts';
import { OUTCOME, type Samples, UNSERVED } from '../records/samples.ts';
import type { Interval } from '../stats/in-flight.ts';

const US = 1e6;

/** One arrival of the measured window. */
export interface Arrival {
  readonly dueUs: number;
  readonly serviceUs: number;
  readonly responseUs: number;
  readonly lagUs: number;
  readonly fate: 'succeeded' | 'failed' | 'dropped';
  /** Kind of a failure; `unknown` where the facts name no such class. */
  readonly kind: FailureKind | 'unknown' | null;
}

/** What the figures of a cell are made of: the arrivals due after the warm-up and before the end. */
export interface CellWindow {
  readonly fromUs: number;
  readonly toUs: number;
  readonly seconds: number;
  readonly arrivals: readonly Arrival[];
  /** Begin and end of every transaction of the cell whose times are known, warm-up included: they fill the connections too. */
  readonly transactions: readonly Transaction[];
}

/** Begin and end of a transaction, and how late it was begun, microseconds. */
export interface Transaction extends Interval {
  readonly lagUs: number;
}

function arrivalAt(samples: Samples, index: number, facts: CellFacts): Arrival {
  const outcome = samples.outcome[index] ?? OUTCOME.dropped;
  const fate = outcome === OUTCOME.success ? 'succeeded' : outcome === OUTCOME.dropped ? 'dropped' : 'failed';
  return {
    dueUs: samples.dueUs[index] ?? 0,
    serviceUs: samples.serviceUs[index] ?? UNSERVED,
    responseUs: samples.responseUs[index] ?? UNSERVED,
    lagUs: samples.lagUs[index] ?? UNSERVED,
    fate,
    kind: fate === 'failed' ? (facts.failures[outcome - OUTCOME.firstFailure]?.kind ?? 'unknown') : null,
  };
}

/** Cuts the measured window out of the samples; empty where there are none. */
export function cellWindow(facts: CellFacts, samples: Samples | null): CellWindow {
  const { warmupSeconds, durationSeconds } = facts.plan;
  const fromUs = warmupSeconds * US;
  const toUs = Math.max(fromUs, durationSeconds * US);
  const arrivals: Arrival[] = [];
  const transactions: Transaction[] = [];
  for (let index = 0; samples !== null && index < samples.dueUs.length; index += 1) {
    const arrival = arrivalAt(samples, index, facts);
    if (arrival.lagUs !== UNSERVED && arrival.responseUs !== UNSERVED) {
      const { dueUs, lagUs, responseUs } = arrival;
      transactions.push({ start: dueUs + lagUs, end: dueUs + responseUs, lagUs });
    }
    if (arrival.dueUs >= fromUs && arrival.dueUs < toUs) arrivals.push(arrival);
  }
  return { fromUs, toUs, seconds: (toUs - fromUs) / US, arrivals, transactions };
}
