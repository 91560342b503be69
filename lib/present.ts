/** The items that are there, in their order: a condition before an item leaves it out where it does not hold. */
export const present = <T>(...items: readonly (T | false | undefined | null)[]): T[] =>
  items.filter((item): item is T => item !== false && item !== undefined && item !== null);
