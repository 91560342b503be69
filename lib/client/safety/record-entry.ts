import type { OwnRecord } from '../types.ts';
import type { Look } from './look.ts';

/**
 * What is known of an id that an answer gave for a record of this run: an answer gave it (`claimed`), a look showed it under a name of the
 * run (`ours`), a delete of it was answered with success (`gone`), its state is open since a delete that was not (`unknown`), or a look
 * showed it to be somebody else's (`foreign`).
 */
type Standing = 'claimed' | 'ours' | 'gone' | 'unknown' | 'foreign';

/** A record as the run knows it. */
export interface Entry {
  readonly record: OwnRecord;
  standing: Standing;
  /** It was shown under a name of the run since the last write that may have removed it. */
  isProven: boolean;
  /** When it was shown so last; somebody else may have changed it since. */
  provenMs?: number;
  /** A read showed that there is no such record. */
  isShownGone: boolean;
  /** A create without a name made it: its mark tells. */
  isNameless: boolean;
  /** What the last look before a delete showed in the members that the run writes. */
  looked?: Look | undefined;
  /** What looks showed before the run changed it; shown again, the change may not be seen yet. */
  past: readonly Look[];
  why?: string;
}

/** What nothing was seen of yet. */
export const NEW: Omit<Entry, 'record' | 'standing'> = {
  isProven: false,
  isShownGone: false,
  isNameless: false,
  past: [],
};
