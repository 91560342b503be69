type Counts = Map<string, number>;

export const add = (counts: Counts, key: string, more = 1): void => void counts.set(key, (counts.get(key) ?? 0) + more);

/** How many records of the run there are in each family, and the most that there were at one time. */
export function openRoom() {
  const [held, most]: [Counts, Counts] = [new Map(), new Map()];
  return {
    add(family: string, more: 1 | -1) {
      add(held, family, more);
      most.set(family, Math.max(most.get(family) ?? 0, held.get(family) ?? 0));
    },
    of: (family: string) => ({ held: held.get(family) ?? 0, most: most.get(family) ?? 0 }),
  };
}
