import { takeFresh } from '../../driver/endpoints.ts';
import type { Session } from '../../driver/session.ts';
import type { Step } from '../../steps/step.ts';
import type { Found } from './work.ts';

const ENDPOINTS = JSON.stringify({ step: 'look', look: { window: 'endpoints' } });

/** The sequence with another endpoint for its first one, if no look names any. */
export function withFirst(steps: readonly Step[]): readonly Step[] {
  const anc = steps.flatMap((step) => (step.step === 'apply' || step.step === 'clear' ? [step] : []));
  const main = anc.findLast(({ step }) => step === 'apply')?.who[0] ?? 0;
  const isNamed = steps.some(
    (step) => !anc.includes(step as (typeof anc)[number]) && JSON.stringify(step) !== ENDPOINTS,
  );
  if (isNamed) return steps;
  const other = (number: number) => (number === main ? 0 : number === 0 ? main : number);
  return steps.map(
    (step) => ('who' in step && Array.isArray(step.who) ? { ...step, who: step.who.map(other) } : step) as Step,
  );
}

/** True if an endpoint has to have been cleared before: many sequences name one; one tells that none has named, twice by turns. */
export async function needsUsed(
  session: Session,
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<Found | undefined>,
): Promise<boolean> {
  const first = withFirst(steps);
  for (const turn of [1, 2]) {
    const isFreshWrong = !takeFresh(session) || (await shows(first)) !== undefined;
    session.anc.fresh = undefined;
    if (isFreshWrong || (turn === 1 && (await shows(first)) === undefined)) return false;
  }
  return true;
}
