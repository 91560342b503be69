import { type Family, hasOp } from '../../lib/contract/types.ts';
import type { CheckContext, RunFacts } from './check.ts';

/** Milliseconds below which a write was seen to show at once. */
export const AT_ONCE_MS = 20;
/** Milliseconds that a target may take to answer and to show a write, for each further one that is waited for at the same time. */
const EACH_MS = 100;
const MOST_SIDE_BY_SIDE = 8;

/** The question if writes of one family at one time are taken, and its answer if some fail. */
export const AT_ONCE_ID = 'writes.at-once';
export const SOME_FAIL = 'some fail';

interface Asking {
  readonly context: Pick<CheckContext, 'run' | 'family'>;
}

/** One question may find a fresh answer by luck where some answers are late and others are not: the longer of both counts. */
function seenMs(dialect: RunFacts['dialect'], family: Family): number | undefined {
  const seen = [hasOp(family, 'apply') ? 'anc.delay-ms' : 'visibility.delay-ms', 'visibility.unsteady-ms']
    .map(dialect)
    .filter((ms) => typeof ms === 'number');
  return seen.length === 0 ? undefined : Math.max(...seen);
}

/** Milliseconds that the target was seen to take until it shows a write, at most; undefined if nobody asked. */
export const delayMs = ({ context: { run, family } }: Asking): number | undefined => seenMs(run.dialect, family);

export const showsAtOnce = (asking: Asking): boolean => (delayMs(asking) ?? Number.POSITIVE_INFINITY) <= AT_ONCE_MS;

/** How much is done at one time on one family: more if the target answers or shows writes late, and takes writes at one time. What applies a policy shares its endpoints. */
export function sideBySide(
  dialect: RunFacts['dialect'],
  family: Family,
  trial?: { readonly createMs?: number },
): number {
  if (!hasOp(family, 'create') || dialect(AT_ONCE_ID) === SOME_FAIL) return 1;
  const lateMs = (trial?.createMs ?? 0) + (seenMs(dialect, family) ?? 0);
  return Math.min(MOST_SIDE_BY_SIDE, 1 + Math.floor(lateMs / EACH_MS));
}
