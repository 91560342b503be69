/**
 * Ids of one family that are remembered at most. No family that records can be created in has as many; a target that shows
 * ever new ones may not fill the memory.
 */
const MOST_IDS = 100_000;

/** When each id was shown first, by family. */
export interface SeenIds {
  readonly see: (family: string, id: string, moment: number) => void;
  /** Whether the id was shown before the moment; undefined where there were too many to remember. */
  readonly isBefore: (family: string, id: string, moment: number) => boolean | undefined;
}

/** Remembers nothing yet. */
export function seenIds(most = MOST_IDS): SeenIds {
  const families = new Map<string, Map<string, number>>();
  return {
    see(family, id, moment) {
      const ids = families.get(family) ?? new Map<string, number>();
      families.set(family, ids);
      if (ids.size < most && !ids.has(id)) ids.set(id, moment);
    },
    isBefore(family, id, moment) {
      const ids = families.get(family);
      const at = ids?.get(id);
      if (at !== undefined) return at < moment;
      return (ids?.size ?? 0) < most ? false : undefined;
    },
  };
}
