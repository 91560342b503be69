import { createHash } from 'node:crypto';
import type { JsonObject } from '../../wire/answer.ts';
import type { OwnRecord } from '../types.ts';
import { isSame, type Look, lookAt } from './record-entry.ts';
import { keyIn, MARK, nameIn, nameMembers } from './record-identity.ts';

export const add = (counts: Map<string, number>, key: string, more = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + more);

const MOST_BODIES = 4;

/** True if a target may show the second name as the first: in other case, trimmed, or cut short. */
export function isMadeOf(name: string, given: string): boolean {
  const [shown, whole] = [name.trim().toLowerCase(), given.trim().toLowerCase()];
  return shown !== '' && whole.startsWith(shown);
}

/** What a run sent, which tells its records from those of somebody else. `prefix`: what every name and mark of the run holds. */
export function openSent(prefix: string) {
  const since = new Map<string, number>();
  const times = new Map<string, number>();
  const [marks, members] = [new Set<string>(), new Set<string>()];
  const bodies = new Map<string, readonly Look[]>();
  const told = new Map<string, string>();
  /** The key of the name as it was sent, if some target stored it in other case. */
  const keyOf = (family: string, name: string): string => {
    const [key, alike] = [keyIn(family, name), keyIn(family, name.trim()).toLowerCase()];
    return since.has(key) ? key : ([...since.keys()].find((each) => each.toLowerCase() === alike) ?? key);
  };
  const isMarked = (family: string, record?: JsonObject) => marks.has(keyIn(family, String(record?.[MARK])));
  const take = (family: string, body: JsonObject) => {
    for (const member of Object.keys(body)) members.add(keyIn(family, member));
    const mark = body[MARK];
    if (typeof mark === 'string' && mark.includes(prefix)) marks.add(keyIn(family, mark));
    const isText = (member: string) =>
      typeof body[member] === 'string' && member !== 'id' && !nameMembers(family).includes(member);
    const [texts, name] = [Object.keys(body).filter(isText), nameIn(family, body)];
    if (name === undefined || texts.length === 0) return;
    const key = keyIn(family, name);
    bodies.set(key, [...(bodies.get(key) ?? []).slice(-MOST_BODIES + 1), lookAt(body, texts)]);
  };
  return {
    /** Takes in the members of the records that a write is about to send, and the moment at which it does. */
    sends(family: string, records: readonly JsonObject[], moment: number) {
      const held = records.flatMap((body) => nameMembers(family).map((member) => body[member]));
      const names = new Set(held.filter((name): name is string => typeof name === 'string' && name !== ''));
      if (records.length > 0) add(times, family, Math.max(1, names.size));
      for (const key of [...names].map((name) => keyIn(family, name))) {
        add(times, key);
        if (!since.has(key)) since.set(key, moment);
      }
      for (const body of records) take(family, body);
    },
    /** Takes in that the answer to a create of one family names a record of another one. */
    tells: (from: string, { family, id }: OwnRecord) => void told.set(keyIn(family, id), from),
    isTold: (from: string, family: string, id: string): boolean => told.get(keyIn(family, id)) === from,
    /** Takes a name that was sent to one family as sent to another one, in which the target shows the record of it. */
    moves(from: string, to: string, name: string): true {
      add(times, to);
      add(times, keyIn(to, name));
      since.set(keyIn(to, name), since.get(keyIn(from, name)) ?? 0);
      return true;
    },
    keyOf,
    sinceOf: (family: string, name: string) => since.get(keyOf(family, name)),
    /** How often a name, or anything of a family, was sent. */
    times: (key: string): number => times.get(key) ?? 0,
    isSent: (family: string, name: string): boolean => since.has(keyIn(family, name)),
    /** A name that is ours but for what targets do to names: of other case, trimmed, or cut behind the mark of the run. */
    isLike: (family: string, name: string): boolean =>
      name.toLowerCase().includes(prefix) || since.has(keyOf(family, name)),
    isWritten: (family: string, member: string): boolean => member !== 'id' && members.has(keyIn(family, member)),
    isMarked,
    /** True if texts were sent with the name, by which its record can be told from another of the name. */
    canTell: (family: string, name: string): boolean => bodies.has(keyOf(family, name)),
    /** True if a record shows a mark of the run, or the texts that the run sent with the name. */
    isShown: (family: string, name: string, whole: JsonObject): boolean =>
      isMarked(family, whole) || (bodies.get(keyOf(family, name)) ?? []).some((look) => isSame(look, whole)),
  };
}

/** Ids that are remembered at most; no family that records can be created in has as many. A hundred megabytes, whatever their length. */
const MOST_IDS = 500_000;
/** A longer id is remembered by its digest. */
const LONGEST = 48;

/** In one form: a target may take an id in other case, without its signs or its zeros in front, or as a URN. */
function keyOf(family: string, id: string): string {
  const signs = id
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const text = signs.replace(/^urnuuid(?=[0-9a-f]{32}$)/, '').replace(/^0+(?=.)/, '') || id;
  return keyIn(family, text.length <= LONGEST ? text : createHash('sha1').update(text).digest('base64'));
}

/** When each id was shown first. Forms of one id count as one: a target may take either for the other. */
export function firstShown(most = MOST_IDS) {
  const moments = new Map<string, number>();
  return {
    see(family: string, id: string, moment: number) {
      const key = keyOf(family, id);
      if (moments.size < most && !moments.has(key)) moments.set(key, moment);
    },
    /** Whether the id was shown before the moment; undefined if there were too many to remember. */
    isBefore(family: string, id: string, moment: number): boolean | undefined {
      const at = moments.get(keyOf(family, id));
      if (at !== undefined) return at < moment;
      return moments.size < most ? false : undefined;
    },
  };
}
