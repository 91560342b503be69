/** Milliseconds of work after which other requests get their turn: well below the 50 ms a list may hold ANC up. */
const SLICE_MS = 8;

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

/** A stable sort that gives way: runs are sorted one by one, then merged pairwise. */
export async function sortGivingWay<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  const RUN = 1024;
  const pause = givingWay();
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void> | undefined,
): Promise<T[]> {
  const result: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const takeLeft = r >= right.length || (l < left.length && compare(left[l] as T, right[r] as T) <= 0);
    result.push((takeLeft ? left[l++] : right[r++]) as T);
    if (result.length % 2048 === 0) await pause();
  }
  return result;
}
