/** Milliseconds of work after which other requests get their turn: well below the 50 ms a list may hold ANC up. */
const SLICE_MS = 4;

/** Call inside a long loop: resolves at once, or after the event loop has served what waits. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

/** Items sorted at once before they are merged. */
const RUN = 1024;
/** Items merged between two looks at the clock. */
const LOOK = 1024;

/** A stable sort that gives way: runs are sorted one by one, then merged pairwise between two arrays of full length. */
export async function sortGivingWay<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  const pause = givingWay();
  let from: T[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    for (const item of items.slice(start, start + RUN).sort(compare)) from.push(item);
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
  let to = [...from];
  for (let width = RUN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      await merge(from, to, start, width, compare, pause);
    }
    [from, to] = [to, from];
  }
  return from;
}

async function merge<T>(
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const takeLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[at] = from[takeLeft ? left++ : right++] as T;
    if (at % LOOK !== 0) continue;
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
}
