import { hasOp } from '../../lib/contract/types.ts';
import type { Session } from './session.ts';

/** Milliseconds below which a write was seen to show at once. */
export const AT_ONCE_MS = 20;

/** Milliseconds that the target was seen to take until it shows a write, at most; undefined if nobody asked. */
export function delayMs({ context }: Session): number | undefined {
  const delay = context.run.dialect(hasOp(context.family, 'apply') ? 'anc.delay-ms' : 'visibility.delay-ms');
  return typeof delay === 'number' ? delay : undefined;
}

/** True if the target was seen to show each write at once. */
export const showsAtOnce = (session: Session): boolean => (delayMs(session) ?? Number.POSITIVE_INFINITY) <= AT_ONCE_MS;
