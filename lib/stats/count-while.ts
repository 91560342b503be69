/** How many of so many places a test takes that takes the first ones, and none behind the first that it does not: a binary search. */
export function countWhile(length: number, takes: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (takes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of ascending values are at most this one. */
export const countUpTo = (sorted: ArrayLike<number>, most: number): number =>
  countWhile(sorted.length, (place) => (sorted[place] ?? 0) <= most);
