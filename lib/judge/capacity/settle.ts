import type { CellReport } from '../../records/load/load.ts';
import type { StepOutcome, Trial } from './trial.ts';

/** Outcomes of one rate. `holds` is null where as many steps held as failed. */
export interface Tally {
  readonly ratePerSecond: number;
  readonly held: number;
  readonly failed: number;
  readonly invalid: number;
  readonly holds: boolean | null;
}

/** Outcomes by rate, ascending. A rate of which no step proved anything does not hold. */
export function tallies(trials: readonly Trial[]): readonly Tally[] {
  const rates = [...new Set(trials.map(({ ratePerSecond }) => ratePerSecond))].sort((a, b) => a - b);
  return rates.map((ratePerSecond) => {
    const count = (outcome: StepOutcome) =>
      trials.filter((trial) => trial.ratePerSecond === ratePerSecond && trial.outcome === outcome).length;
    const [held, failed, invalid] = [count('held'), count('failed'), count('invalid')];
    const holds = held + failed === 0 ? false : held === failed ? null : held > failed;
    return { ratePerSecond, held, failed, invalid, holds };
  });
}

/**
 * The first rate that does not hold, and the highest below it that does. One that held above a failure does not count, and neither
 * does one above a tie: there the target is a matter of luck.
 */
export function bracketOf(trials: readonly Trial[]): { readonly low: Tally | null; readonly high: Tally | null } {
  const all = tallies(trials);
  const high = all.find(({ holds }) => holds !== true) ?? null;
  const low = all
    .filter(({ ratePerSecond, holds }) => holds && ratePerSecond < (high?.ratePerSecond ?? Infinity))
    .at(-1);
  return { low: low ?? null, high };
}

/** A rate counts when two steps say the same of it, and more do than say otherwise. */
const AGREEING = 2;

/** Have enough steps been run at this rate to say whether it holds? */
export function isSettled({ held, failed, invalid, holds }: Tally): boolean {
  if (holds === false && failed === 0) return invalid >= AGREEING;
  return holds !== null && Math.max(held, failed) >= AGREEING;
}

/** Of several tries of one step the last decides. */
export function decidingSteps(steps: readonly CellReport[]): readonly CellReport[] {
  return steps.filter(
    ({ facts }) =>
      !steps.some((other) => other.facts.step?.number === facts.step?.number && other.facts.attempt > facts.attempt),
  );
}
