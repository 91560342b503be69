import type { LoadContext } from './context.ts';

/** Time between two looks at what is not as promised: it may be on its way between the parts of a deployment. */
const AGAIN_MS = 1000;

/** Looks again until all is as promised or the grace is over. `stillWrong` gives undefined where nobody can tell. */
export async function settle<T>(
  { clock, signal }: Pick<LoadContext, 'clock' | 'signal'>,
  wrong: readonly T[],
  graceMs: number,
  stillWrong: (wrong: readonly T[]) => Promise<readonly T[] | undefined>,
  atOnce = false,
) {
  const startMs = clock.monotonicMs();
  let [left, late, visibleAfterMs]: [readonly T[], number, number | null] = [wrong, 0, null];
  for (let isFirst = atOnce; left.length > 0; isFirst = false) {
    const waitMs = Math.min(AGAIN_MS, graceMs - (clock.monotonicMs() - startMs));
    if (!isFirst && waitMs <= 0) break;
    if (!isFirst) await clock.sleep(waitMs, signal);
    const now = await stillWrong(left);
    if (now === undefined) return { left: [], unknown: left, late, visibleAfterMs };
    if (now.length < left.length)
      [late, visibleAfterMs] = [late + left.length - now.length, clock.monotonicMs() - startMs];
    left = now;
  }
  return {
    left,
    unknown: [] as readonly T[],
    /** As promised only when looked at again, and milliseconds until the last of them was; null where none was. */
    ...{ late, visibleAfterMs },
  };
}
