import { keyIn } from './record-identity.ts';

/** Records that one create may have made: a target that stores each of them twice is wrong, and what it stored is ours. */
const MOST_OF_CREATE = 2;

/**
 * Bounds what is taken for this run's: no more records of a family, and of a name, than the run can have created. A list that
 * shows more under its names is not believed.
 */
export interface ClaimLimits {
  /** Takes in that a write sent these names; a create without a name counts too. */
  readonly sends: (family: string, names: readonly string[]) => void;
  /** True where one more record may be of this run; it is counted then. */
  readonly take: (family: string, name: string | undefined) => boolean;
}

/** Nothing was sent or taken yet. */
export function claimLimits(): ClaimLimits {
  const sent = new Map<string, number>();
  const taken = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, more = 1) => counts.set(key, (counts.get(key) ?? 0) + more);
  return {
    sends(family, names) {
      add(sent, family, Math.max(1, names.length));
      for (const name of names) add(sent, keyIn(family, name));
    },
    take(family, name) {
      const keys = [family, ...(name === undefined ? [] : [keyIn(family, name)])];
      if (keys.some((key) => (taken.get(key) ?? 0) >= MOST_OF_CREATE * (sent.get(key) ?? 0))) return false;
      for (const key of keys) add(taken, key);
      return true;
    },
  };
}
