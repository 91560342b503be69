import type { OwnRecord } from '../types.ts';
import { type Look, lookAt } from './look.ts';

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
  /** When the run sent each change of it whose effect no look has shown. */
  changesMs: readonly number[];
  why?: string;
}

/** What nothing was seen of yet. */
export const NEW: Omit<Entry, 'record' | 'standing'> = {
  isProven: false,
  isShownGone: false,
  isNameless: false,
  past: [],
  changesMs: [],
};

type Members = Readonly<Record<string, unknown>>;

/** Earlier states of a record that are kept, at most. */
const MOST_PAST = 4;
/** How long a change may take to show, milliseconds. */
const SHOWN_MS = 5000;

const isSeen = ({ looked, past }: Entry, whole: Members): boolean =>
  [...past, ...(looked === undefined ? [] : [looked])].some(
    (look) => lookAt(whole, look.members).digest === look.digest,
  );

/** True if a record shows what no look at it has shown, and no change that the run sent a moment ago explains. */
export const isStrange = (entry: Entry, whole: Members, nowMs: number): boolean =>
  entry.looked !== undefined && !isSeen(entry, whole) && !entry.changesMs.some((at) => nowMs - at <= SHOWN_MS);

/** Takes in what a look shows of the record in some members. */
export function noteLook(entry: Entry, whole: Members, isWritten: (member: string) => boolean): void {
  if (isSeen(entry, whole)) return;
  entry.looked = lookAt(whole, Object.keys(whole).filter(isWritten));
  entry.changesMs = entry.changesMs.slice(1);
}

/** Takes in that the run sent a change of the record: what a look showed before holds no more. */
export function noteChange(entry: Entry, nowMs: number): void {
  if (entry.looked !== undefined) entry.past = [...entry.past.slice(-MOST_PAST + 1), entry.looked];
  entry.looked = undefined;
  entry.changesMs = [...entry.changesMs.slice(-MOST_PAST), nowMs];
}
