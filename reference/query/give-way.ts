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

/** Items sorted at once, and items merged between two looks at the clock. */
const RUN = 1024;

/** A stable sort that gives way: halves are sorted by themselves, and merged. */
export async function sortGivingWay<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pause = givingWay(),
): Promise<readonly T[]> {
  await pause();
  if (items.length <= RUN) return items.toSorted(compare);
  const half = Math.ceil(items.length / 2);
  const left = await sortGivingWay(items.slice(0, half), compare, pause);
  const right = await sortGivingWay(items.slice(half), compare, pause);
  const merged: T[] = [];
  for (let [at, beside] = [0, 0]; merged.length < items.length; ) {
    const isLeft = beside >= right.length || (at < left.length && compare(left[at] as T, right[beside] as T) <= 0);
    merged.push((isLeft ? left[at++] : right[beside++]) as T);
    if (merged.length % RUN === 0) await pause();
  }
  return merged;
}
