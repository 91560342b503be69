import { duration } from '../../lib/numbers.ts';
import type { Phase } from '../../load/plan/phases.ts';

/** Before this share of the plan is done, its own figures say more than the pace so far. */
const LEAST_DONE = 0.1;
/** Slower than the plan by more than this is one phase that is not like the others; one that ended early says nothing of them. */
const MOST_PACE = 3;

/** Follows a plan: planned seconds of what is left, at the pace of what is done. `laterSeconds` come after the last phase. */
export function courseOf(phases: readonly Phase[], now: () => number, laterSeconds = 0) {
  const startMs = now();
  let place = 0;
  let enteredMs = startMs;
  const secondsTo = (end: number) => phases.slice(0, end).reduce((sum, { seconds }) => sum + seconds, 0);
  const whole = secondsTo(phases.length) + laterSeconds;
  const at = () => `${place + 1} of ${phases.length}`;
  return {
    /** Enters a phase by its place; a phase that is not planned is the last one. */
    enter(next: number): void {
      const bounded = Math.max(0, Math.min(next, phases.length - 1));
      if (bounded === place) return;
      place = bounded;
      enteredMs = now();
    },
    /** `3 of 5`. */
    place: at,
    /** `phase 3 of 5: confirm`. */
    where: () => `phase ${at()}: ${phases[place]?.name ?? ''}`,
    /**
     * `about 20 min 5 s left in all`; `more than …` in a phase that takes longer than planned: nobody knows for how long. `restSeconds`: what
     * the phase still takes, if that is known.
     */
    left(restSeconds?: number): string {
      const planned = phases[place]?.seconds ?? 0;
      const inPhase = (now() - enteredMs) / 1000;
      const isLonger = restSeconds === undefined && inPhase > planned;
      const done = secondsTo(place) + (isLonger ? 0 : Math.min(inPhase, planned));
      const elapsed = ((isLonger ? enteredMs : now()) - startMs) / 1000;
      const pace = done < LEAST_DONE * whole ? 1 : Math.min(Math.max(elapsed / done, 1), MOST_PACE);
      const later = whole - secondsTo(place + 1);
      const rest = restSeconds ?? pace * Math.max(0, planned - inPhase);
      return `${isLonger ? 'more than' : 'about'} ${duration(Math.max(1, rest + pace * later) * 1000)} left in all`;
    },
  };
}
