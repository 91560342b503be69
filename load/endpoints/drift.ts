import { holdingTotal } from '../../lib/client/anc/state.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';

/** Long enough to see others who write all the time, short enough to wait for once in a run. */
const WATCH_MS = 2000;

/** Upper 95 % bound of a count of which so many were seen (Poisson, from above). */
const bound = (seen: number) => seen + 3 + 2 * Math.sqrt(seen);

/** Entries a second by which others change the list, at most, with 95 % confidence; undefined where it shows no total. */
export async function driftOf(client: ErsClient, clock: Clock, signal?: AbortSignal): Promise<number | undefined> {
  const total = () => holdingTotal(client).catch(() => null);
  const before = await total();
  if (before === null) return undefined;
  const startMs = clock.monotonicMs();
  await clock.sleep(WATCH_MS, signal);
  const after = await total();
  const seconds = Math.max(WATCH_MS, clock.monotonicMs() - startMs) / 1000;
  return after === null ? undefined : bound(Math.abs(after - before)) / seconds;
}
