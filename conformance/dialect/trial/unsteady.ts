import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Fixture } from '../../kit/check.ts';
import type { TrialDeps } from './trial.ts';

/** Looks at a new record, one after the other, that have to agree once one of them has shown it. */
const LOOKS = 8;
const EVERY_MS = 20;
/** Milliseconds without a wrong look after which no other is expected. */
const QUIET_MS = 600;
/** What is waited between a write and a look, as a share of the longest time that was seen. */
const MARGIN = 1.5;

/**
 * Milliseconds after a write during which some looks show it and others do not, as behind a balancer whose nodes learn of it one after the
 * other; 0 if looks do not go back and forth, or never cease to: then no wait mends them.
 */
export async function unsteadyMs(
  { context, clock, visibilityMs }: Pick<TrialDeps, 'context' | 'clock' | 'visibilityMs'>,
  { family, id }: Pick<Fixture, 'family' | 'id'>,
): Promise<number> {
  if (!hasOp(context.family, 'read')) return 0;
  const begun = clock.monotonicMs();
  const sinceMs = () => clock.monotonicMs() - begun;
  const isShown = async () => isSuccess(await context.send('read', { id }, family));
  const first = await context.eventually(async () => ((await isShown()) ? true : undefined));
  if (first === undefined) return 0;
  let wrongMs: number | undefined;
  for (let looks = 0; looks < LOOKS; looks += 1) if (!(await isShown())) wrongMs = sinceMs();
  if (wrongMs === undefined) return 0;
  while (sinceMs() < wrongMs + QUIET_MS) {
    if (sinceMs() > visibilityMs) return 0;
    await clock.sleep(EVERY_MS);
    if (!(await isShown())) wrongMs = sinceMs();
  }
  return Math.ceil(wrongMs * MARGIN);
}
