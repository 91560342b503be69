/**
 * Leaves out conditions for as long as what is looked for still shows: all of them first, then halves, then each by itself. Gives those that are
 * left. `holds` is asked at most `tries` times. Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input".
 */
export async function shrink<T>(
  conditions: readonly T[],
  holds: (some: readonly T[]) => Promise<boolean>,
  tries: number,
): Promise<readonly T[]> {
  let needed = conditions;
  let left = tries;
  for (let size = needed.length; size >= 1 && left > 0; ) {
    let isSmaller = false;
    for (let from = 0; from < needed.length && left > 0; ) {
      const rest = [...needed.slice(0, from), ...needed.slice(from + size)];
      left -= 1;
      if (await holds(rest)) {
        needed = rest;
        isSmaller = true;
      } else from += size;
    }
    if (size === 1 && !isSmaller) return needed;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return needed;
}
