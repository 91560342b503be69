import { duration } from '../../lib/numbers.ts';
import type { Phase } from '../../load/plan/phases.ts';

/** Before this share of the plan is done, its own figures say more than the pace so far. */
const LEAST_DONE = 0.1;
/** Slower than the plan by more than this is one phase that is not like the others; one that ended early says nothing of them. */
const MOST_PACE = 3;

/** Where a run is in its phases, and how long the rest takes. */
export interface Course {
  /** Enters a phase by its place; a phase that is not planned is the last one. */
  readonly enter: (place: number) => void;
  /** `3 of 5`. */
  readonly place: () => string;
  /** `phase 3 of 5: confirm`. */
  readonly where: () => string;
  /** `about 20 min 5 s left in all`. */
  readonly left: () => string;
}

/** Follows a plan: planned seconds of what is left, at the pace of what is done. `laterSeconds` come after the last phase. */
export function courseOf(phases: readonly Phase[], now: () => number, laterSeconds = 0): Course {
  const startMs = now();
  let place = 0;
  let enteredMs = startMs;
  const secondsTo = (end: number) => phases.slice(0, end).reduce((sum, { seconds }) => sum + seconds, 0);
  const whole = secondsTo(phases.length) + laterSeconds;
  const at = () => `${place + 1} of ${phases.length}`;
  return {
    enter(next) {
      const bounded = Math.max(0, Math.min(next, phases.length - 1));
      if (bounded === place) return;
      place = bounded;
      enteredMs = now();
    },
    place: at,
    where: () => `phase ${at()}: ${phases[place]?.name ?? ''}`,
    left() {
      const done = secondsTo(place) + Math.min((now() - enteredMs) / 1000, phases[place]?.seconds ?? 0);
      const pace = done < LEAST_DONE * whole ? 1 : (now() - startMs) / 1000 / done;
      const seconds = (whole - done) * Math.min(Math.max(pace, 1), MOST_PACE);
      return `about ${duration(Math.max(1, seconds) * 1000)} left in all`;
    },
  };
}
