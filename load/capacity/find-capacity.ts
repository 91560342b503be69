import { fitKnee } from '../../lib/judge/capacity/knee.ts';
import { bracketOf } from '../../lib/judge/capacity/settle.ts';
import type { StepPurpose, Trial } from '../../lib/judge/capacity/trial.ts';
import type { Arrivals, Stretch } from '../../lib/wire/arrivals.ts';
import { nextConfirmation } from './confirm.ts';
import type { FindOptions } from './find-options.ts';
import { repeatRate } from './repeats.ts';
import { nextStep } from './search.ts';

/** One step as it is asked for. */
export interface StepRequest {
  readonly ratePerSecond: number;
  readonly purpose: StepPurpose;
  /** Close to the knee, so that it is measured longer. */
  readonly near: boolean;
  /** Measured seconds, where they are not those of a step. */
  readonly seconds?: number;
  /** How arrivals lie in time; even unless set. */
  readonly arrivals?: Arrivals;
  /** Rates after the warm-up, where there is more than one. */
  readonly stretches?: readonly Stretch[];
}

/** Carries out one step and tells what it showed. */
export type RunStep = (step: StepRequest) => Promise<Trial>;

/**
 * Looks for a capacity: search for the knee, repeats around it, and confirmations at the rate that will be claimed, stepping down
 * until one holds. Sends nothing itself: what a step is, `runStep` decides. Returns every trial, in order.
 */
export async function findCapacity(options: FindOptions, runStep: RunStep): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const run = async (step: StepRequest) => void trials.push(await runStep(step));
  for (let next = nextStep([], options.search); next !== null; next = nextStep(trials, options.search)) {
    await run({ ...next, purpose: 'search' });
  }
  const searched = [...trials];
  for (let left = options.repeats; left > 0; left -= 1) {
    const ratePerSecond = repeatRate(trials, options);
    if (ratePerSecond === null) break;
    await run({ ratePerSecond, purpose: 'repeat', near: true });
  }
  const knee = fitKnee(trials);
  const confirm = () => nextConfirmation(trials, bracketOf(searched).low?.ratePerSecond ?? null, knee, options);
  for (let next = confirm(); next !== null; next = confirm()) await run({ ...next, purpose: 'confirm', near: true });
  return trials;
}
