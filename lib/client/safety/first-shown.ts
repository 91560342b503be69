import { createHash } from 'node:crypto';
import { keyIn } from './record-identity.ts';

/** Ids that are remembered at most; no family that records can be created in has as many. A hundred megabytes, whatever their length. */
const MOST_IDS = 500_000;
/** A longer id is remembered by its digest. */
const LONGEST = 48;

function keyOf(family: string, id: string): string {
  const text = id.toLowerCase();
  return keyIn(family, text.length <= LONGEST ? text : createHash('sha1').update(text).digest('base64'));
}

/** When each id was shown first. Ids that differ in case alone count as one: a target may take either for the other. */
export function firstShown(most = MOST_IDS) {
  const moments = new Map<string, number>();
  return {
    see(family: string, id: string, moment: number) {
      const key = keyOf(family, id);
      if (moments.size < most && !moments.has(key)) moments.set(key, moment);
    },
    /** Whether the id was shown before the moment; undefined where there were too many to remember. */
    isBefore(family: string, id: string, moment: number): boolean | undefined {
      const at = moments.get(keyOf(family, id));
      if (at !== undefined) return at < moment;
      return moments.size < most ? false : undefined;
    },
  };
}
