import { bracketOf } from '../../lib/judge/capacity/settle.ts';
import type { Trial } from '../../lib/judge/capacity/trial.ts';
import { type FindOptions, nextConfirmation } from './confirm.ts';
import { nextStep } from './search.ts';
import type { StepRequest } from './step-cell.ts';

/** Carries out one step and tells what it showed. */
export type RunStep = (step: StepRequest) => Promise<Trial>;

/** Share of the time that the search leaves to the confirmation, where that needs so much. */
const FOR_CONFIRMATION = 0.5;

/**
 * Looks for a capacity: search for the knee, then confirmations at the rate that will be claimed, stepping down until one holds. Sends
 * nothing itself: what a step is, `runStep` decides. Returns every trial, in order.
 */
export async function findCapacity(options: FindOptions, runStep: RunStep): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const run = async (step: StepRequest) => void trials.push(await runStep(step));
  const search = { ...options.search, confirmed: options.confirmSeconds > 0 };
  const reserved = Math.min(options.confirmSeconds, FOR_CONFIRMATION * options.secondsLeft());
  for (let next = nextStep([], search); next !== null; next = nextStep(trials, search)) {
    await run({ ...next, purpose: 'search' });
    if (options.secondsLeft() <= reserved) break;
  }
  const held = bracketOf(trials).low?.ratePerSecond ?? null;
  const confirm = () => nextConfirmation(trials, held, options);
  for (let next = confirm(); next !== null; next = confirm()) await run({ ...next, purpose: 'confirm', near: true });
  return trials;
}
