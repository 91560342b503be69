import { createHash } from 'node:crypto';
import type { JsonObject } from '../../wire/answer.ts';
import type { LeftAlone, OwnRecord } from '../types.ts';

/** A value as text in the one order of its members and items: answers need not show them in the same order twice. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(inOrder).sort()}]`;
  const members = Object.entries(value).map(([member, held]) => `${JSON.stringify(member)}:${inOrder(held)}`);
  return `{${members.sort()}}`;
}

/** Looks at those members of a record, and gives them with the digest of what they hold. */
export function lookAt(record: JsonObject, members: readonly string[]) {
  const shown = members.map((member) => inOrder(record[member])).join();
  return { members, digest: createHash('sha1').update(shown).digest('base64') };
}
export type Look = ReturnType<typeof lookAt>;

/**
 * What is known of an id that an answer gave for a record of this run: an answer gave it (`claimed`), a look showed it under a name of the
 * run (`ours`), a delete of it was answered with success (`gone`), its state is open since a delete that was not (`unknown`), or a look
 * showed it to be somebody else's (`foreign`).
 */
type Standing = 'claimed' | 'ours' | 'gone' | 'unknown' | 'foreign';

/** A record as an answer names it. */
export type Named = Omit<OwnRecord, 'name'> & { readonly name: string | undefined };

export type Stray = Omit<LeftAlone, keyof OwnRecord>;

export interface Entry {
  readonly record: OwnRecord;
  standing: Standing;
  /** It was shown under a name of the run since the last write that may have removed it. */
  isProven: boolean;
  /** When it was shown so last; somebody else may have changed it since. */
  provenMs?: number;
  /** A read showed that there is no such record. */
  isShownGone: boolean;
  /** A bulk request that was to remove it was taken in: what became of it, a look tells. */
  isTakenIn: boolean;
  /** A create without a name made it: its mark tells. */
  isNameless: boolean;
  /** Its name alone speaks for it: somebody else may have made it since the name was free. Nothing is sent to it until its members tell. */
  isFound: boolean;
  /** What the last look before a delete showed in the members that the run writes. */
  looked?: Look | undefined;
  /** What looks showed before the run changed it; shown again, the change may not be seen yet. */
  past: readonly Look[];
  /** When the run sent each change of it whose effect no look has shown. */
  changesMs: readonly number[];
  /** A delete of it was sent: a target that shows writes late may show it for a while, and then no more. */
  wasDeleted: boolean;
  /** Records of the run that it refers to, as far as a look showed: a target may remove it with them. */
  refersTo: readonly string[];
}

export const NEW: Omit<Entry, 'record' | 'standing'> = {
  isProven: false,
  isShownGone: false,
  isTakenIn: false,
  isNameless: false,
  isFound: false,
  past: [],
  changesMs: [],
  wasDeleted: false,
  refersTo: [],
};

const MOST_PAST = 4;
const SHOWN_MS = 5000;

export const isSame = (look: Look, whole: JsonObject): boolean => lookAt(whole, look.members).digest === look.digest;

const isSeen = ({ looked, past }: Entry, whole: JsonObject): boolean =>
  [...past, ...(looked === undefined ? [] : [looked])].some((look) => isSame(look, whole));

/** True if a record shows what no look at it has shown, and no change that the run sent a moment ago explains. */
export const isStrange = (entry: Entry, whole: JsonObject, nowMs: number): boolean =>
  entry.looked !== undefined && !isSeen(entry, whole) && !entry.changesMs.some((at) => nowMs - at <= SHOWN_MS);

/** Takes in what a look shows of the record in some members. */
export function noteLook(entry: Entry, whole: JsonObject, isWritten: (member: string) => boolean): void {
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
