import type { Op } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { type JsonObject, LONGEST } from '../../wire/answer.ts';
import type { LeftAlone, OwnRecord, RecordStanding, UnresolvedCreate } from '../types.ts';
import { PROOF_MS } from './proof.ts';
import { type Entry, isStrange, type Named, NEW, noteChange, noteLook, type Stray } from './record-entry.ts';
import { homesOf, isUsableId, keyIn, nameIn, type RecordsOptions } from './record-identity.ts';
import { add, firstShown, isMadeOf, openSent } from './sent.ts';
import { openVanished } from './vanished.ts';

const [MOST_FOREIGN, MOST_SIGHTED] = [1000, 5] as const;
/** Records that one create may have made: a target that stores each of them twice is wrong, and what it stored is ours. */
const MOST_OF_CREATE = 2;

/**
 * The records of a run. An id counts as one of them only if no answer showed it before the run sent the name, and only as many
 * as the run can have made. A look that shows another name takes every earlier proof back: nothing more is sent to that record.
 */
export function openRecords({ prefix, table, inherits, nowMs, note }: RecordsOptions) {
  let moment = 0;
  const views = Object.keys(table).flatMap((name) => (table[name]?.viewOf ? [homesOf(table, name)] : []));
  const [entries, strays] = [new Map<string, Entry>(), new Map<Entry, Stray>()];
  const unresolved = new Map<string, UnresolvedCreate>();
  const vanished = openVanished(entries, (id) => isOurs(id, 'gone'));
  const [shown, read, sent, taken] = [firstShown(), new Set<string>(), openSent(prefix), new Map<string, number>()];
  const isInherited = (name: string | undefined) => name !== undefined && inherits?.(name) === true;
  const isSent = (family: string, name: string) => sent.isSent(family, name) || isInherited(name);
  const list = (takes: (entry: Entry) => boolean) => [...entries.values()].filter(takes).map(({ record }) => record);
  const own = (family: string, id: string): Entry | undefined => {
    const entry = entries.get(keyIn(family, id));
    return entry?.standing === 'foreign' ? undefined : entry;
  };
  /** No create is open of the name, or of one that the target may have turned into it: somebody else may have taken it since. */
  const isFree = (family: string, name: string) =>
    !isInherited(name) &&
    ![...unresolved.values()].some((one) => one.family === family && !one.isRefused && isMadeOf(name, one.name));
  const addUnresolved = (family: string, name: string, isRefused = false) => {
    const key = keyIn(family, name);
    const known = unresolved.get(key);
    const ids = known?.ids ?? new Set<string>();
    unresolved.set(key, { family, name, ids, isRefused: isRefused && known?.isRefused !== false });
  };
  const disown = (entry: Entry, name: string | undefined, stray: Stray) => {
    const { family, id, name: ours } = entry.record;
    if (ours !== undefined && !entry.isFound) addUnresolved(family, ours);
    Object.assign(entry, { record: { family, id, ...defined({ name }) }, standing: 'foreign' });
    strays.set(entry, stray);
  };
  const turnAway = ({ family, id, name }: Named, stray: Stray): false => {
    if (strays.size < MOST_FOREIGN && id.length <= LONGEST && !entries.has(keyIn(family, id))) {
      const entry: Entry = { ...NEW, record: { family, id, ...defined({ name }) }, standing: 'foreign' };
      entries.set(keyIn(family, id), entry);
      strays.set(entry, stray);
    }
    return false;
  };
  /** Whether the id was shown before. What a view shows may be of another family, where this run has removed a record of that id. */
  const isOlder = (family: string, id: string, since: number): boolean | undefined => {
    const isGone = (home: string) => entries.get(keyIn(home, id))?.standing === 'gone';
    const told = views.filter((homes) => homes.includes(family) && !homes.some(isGone)).map(([view = '']) => view);
    const sights = [family, ...told].map((one) => shown.isBefore(one, id, since));
    return sights.includes(true) || (sights.includes(undefined) ? undefined : false);
  };
  /** Why an id cannot be that of a new record of this name. */
  const against = ({ family, id, name }: Named, since: number | undefined): Stray | undefined => {
    if (since === undefined) return { kind: 'shown', why: 'this run sent no such name' };
    const wasThere = isOlder(family, id, since);
    if (wasThere === true) return { kind: 'answered', why: 'a record of this id was there before the create was sent' };
    if (wasThere === undefined) return { kind: 'forgotten', why: 'the target showed more ids than can be remembered' };
    const keys = [family, ...(name === undefined ? [] : [sent.keyOf(family, name)])];
    if (keys.some((key) => (taken.get(key) ?? 0) >= MOST_OF_CREATE * sent.times(key)))
      return { kind: 'answered', why: 'the target shows more records of this run than it can have created' };
    for (const key of keys) add(taken, key);
    return undefined;
  };
  const families = Object.keys(table);
  const isOurs = (id: string, standing: Entry['standing'] = 'ours') =>
    families.some((home) => entries.get(keyIn(home, id))?.standing === standing);
  /** Records of this run that a record refers to: nobody else knows of them. */
  const oursIn = ({ id: own }: OwnRecord, whole: JsonObject = {}) =>
    Object.values(whole).filter((id): id is string => typeof id === 'string' && id !== own && isOurs(id));
  /** True for a record of this run that is of another family now, such as a portal of its type: by a name and the id that it was given. */
  const isMoved = ({ family, id, name = '' }: Named) =>
    families.some((home) => {
      const ours = own(home, id)?.record.name ?? (sent.isTold(home, family, id) ? name : undefined);
      const since = ours === undefined || homesOf(table, family).includes(home) ? undefined : sent.sinceOf(home, ours);
      const isLater = since !== undefined && shown.isBefore(family, id, since) === false;
      return isLater && sent.isSent(home, name) && !sent.isSent(family, name) && sent.moves(home, family, name);
    });
  /** `whole`: the record as its own family shows it, which a view need not. */
  const compare = (family: string, id: string, name: string | undefined, record?: JsonObject, whole?: JsonObject) => {
    const entry = own(family, id);
    if (entry === undefined) return;
    if (entry.isFound) {
      if (whole === undefined) return;
      if (name !== entry.record.name || !sent.isShown(family, name ?? '', whole)) {
        const why = 'it bears a name of this run, and shows nothing else that this run wrote';
        return disown(entry, name, { kind: sent.canTell(family, name ?? '') ? 'namesake' : 'alike', why });
      }
      entry.isFound = false;
      note('created', { operation: 'create', ...entry.record });
    }
    const isOpen = entry.standing === 'unknown' || entry.standing === 'gone';
    const kind = entry.provenMs === undefined ? 'answered' : 'renamed';
    if (isOpen && whole && isStrange(entry, whole, nowMs())) {
      const why = 'its record differs in what this run wrote, since a delete of it was sent';
      return disown(entry, name, { kind, why });
    }
    const ours = oursIn(entry.record, whole);
    if (ours.length > 0) entry.refersTo = ours;
    const isMarked = (entry.isNameless && sent.isMarked(family, record)) || (name === undefined && ours.length > 0);
    const isExact = isMarked || (name !== undefined && isSent(family, name));
    if (isExact || (name !== undefined && sent.isLike(family, name))) {
      Object.assign(entry, { isProven: true, provenMs: nowMs() });
      if (isExact && !isOpen && whole) noteLook(entry, whole, (member) => sent.isWritten(family, member));
      if (isExact ? entry.standing !== 'gone' : entry.standing === 'claimed') entry.standing = 'ours';
    } else if (name !== undefined)
      disown(entry, name, { kind, why: 'its record bears a name that this run did not send' });
  };
  /** Takes an id for that of a record of this run, unless something forbids it. `since`: of its create. `mayBeOther`: the name was free. */
  const claim = (family: string, operation: Op, id: string, name?: string, since?: number, mayBeOther = false) => {
    const named = { family, id, name };
    if (!isUsableId(id))
      return turnAway(named, { kind: 'answered', why: 'the id is malformed: it names no record in a path' });
    const last = entries.get(keyIn(family, id));
    if (last?.standing === 'foreign') return false;
    // The id of a record that was removed may be given again: what is known of that one says nothing of the new one.
    const entry = since !== undefined && last?.standing === 'gone' ? undefined : last;
    const isKnown = last !== undefined || isInherited(name) || isMoved(named);
    if (!isKnown) {
      // Neither a name nor a create of this run: nothing speaks for the id, and nothing against it.
      if (name === undefined && since === undefined) return false;
      const stray = against(named, name === undefined ? since : sent.sinceOf(family, name));
      if (stray !== undefined) return turnAway(named, stray);
    }
    const record = { family, id, ...defined({ name: name ?? entry?.record.name }) };
    const isBack = entry === undefined || entry.standing === 'gone';
    const isFound = entry === undefined && mayBeOther && !isKnown;
    if (isBack && !isFound) note('created', { operation, ...record });
    if (isBack) entries.delete(keyIn(family, id));
    const known = entry ?? { ...NEW, isFound, isNameless: name === undefined };
    const standing = isBack ? (known.isProven ? 'ours' : 'claimed') : (entry?.standing ?? 'claimed');
    entries.set(keyIn(family, id), { ...known, record, standing, isShownGone: false });
    if (name !== undefined) unresolved.delete(keyIn(family, name));
    return true;
  };
  return {
    /** Takes in the members of the records that a write is about to send; gives the moment at which it does. */
    sends(family: string, bodies: readonly JsonObject[]): number {
      moment += 1;
      sent.sends(family, bodies, moment);
      return moment;
    },
    /** Takes in a list entry. A name of the run proves a claimed record if no read shows any; another name takes the proof back. */
    lists(family: string, id: string, name: string | undefined) {
      shown.see(family, id, moment);
      for (const home of homesOf(table, family)) {
        const entry = own(home, id);
        if (entry === undefined || name === undefined) continue;
        const mayProve = home === family && entry.standing === 'claimed' && !read.has(family);
        if (mayProve && sent.isSent(family, name)) compare(family, id, name);
        if (isSent(home, name) || sent.isLike(home, name)) continue;
        entry.isProven = false;
        if (entry.standing === 'ours') entry.standing = 'unknown';
      }
      const sighted = name === undefined ? undefined : unresolved.get(keyIn(family, name))?.ids;
      if (sighted !== undefined && sighted.size < MOST_SIGHTED) sighted.add(id);
    },
    /** Takes in the answer to a read: the record as it was shown, or null if there is none. A view may show what is gone. */
    reads(family: string, id: string, record: JsonObject | null) {
      if (record !== null) shown.see(family, id, moment);
      for (const home of homesOf(table, family)) {
        const entry = own(home, id);
        if (record !== null) {
          if (home === family && nameIn(home, record) !== undefined) read.add(home);
          compare(home, id, nameIn(home, record), record, home === family ? record : undefined);
        }
        if (entry !== undefined && (home === family || record === null)) entry.isShownGone = record === null;
      }
    },
    /** Takes in a list entry as proof of a record that cannot be read. If others can be, none proves what reads deny and never showed. */
    listedAs(family: string, id: string, name: string | undefined) {
      const { isShownGone, provenMs } = own(family, id) ?? NEW;
      if (!(read.has(family) && isShownGone && provenMs === undefined)) compare(family, id, name);
    },
    claim,
    tells: sent.tells,
    /** One that was there before the name was sent is somebody else's, and nobody's fault. */
    adopt({ family, id, name }: OwnRecord): boolean {
      const since = name === undefined ? undefined : sent.sinceOf(family, name);
      if (since !== undefined && !entries.has(keyIn(family, id)) && isOlder(family, id, since) === true) return false;
      return claim(family, 'create', id, name, undefined, name !== undefined && isFree(family, name));
    },
    mayBeNew(family: string, id: string, name: string): boolean {
      const since = sent.sinceOf(family, name);
      return isInherited(name) || (since !== undefined && isOlder(family, id, since) === false);
    },
    isProven(family: string, id: string): boolean {
      const { isProven, provenMs = Number.NEGATIVE_INFINITY } = own(family, id) ?? NEW;
      return isProven && nowMs() - provenMs <= PROOF_MS;
    },
    /** The record of this run that has the id, also one that a view of its family names, whether or not it was removed since. */
    own: (family: string, id: string) => homesOf(table, family).flatMap((home) => own(home, id) ?? [])[0],
    standing(family: string, id: string): RecordStanding | undefined {
      const given = homesOf(table, family).flatMap((home) => entries.get(keyIn(home, id))?.standing ?? []);
      if (given.some((one) => one !== 'gone' && one !== 'foreign')) return 'ours';
      return given.includes('gone') ? 'gone' : given[0] && 'foreign';
    },
    why: (of: string, is: string) =>
      [...strays].find(([{ record }]) => record.family === of && record.id === is)?.[1].why,
    /** A write that changes the record was sent: what a look showed of it before holds no more. */
    changed(family: string, id: string) {
      for (const entry of homesOf(table, family).flatMap((home) => own(home, id) ?? [])) noteChange(entry, nowMs());
    },
    /** A delete was answered: with success it is gone; with anything else, or not at all, it has to be looked at before the next write. `isTakenIn`: in bulk. `isAbsent`: by 404. */
    deleted(family: string, operation: Op, id: string, isDone: boolean, { isTakenIn = false, isAbsent = false } = {}) {
      const entry = own(family, id);
      if (entry === undefined) return;
      vanished.deleted(entry, isDone, isAbsent);
      Object.assign(entry, { isProven: false, isTakenIn: isTakenIn || entry.isTakenIn, wasDeleted: true });
      if (entry.standing === 'gone') return;
      entry.standing = isDone ? 'gone' : 'unknown';
      if (isDone) note('removed', { operation, ...entry.record });
    },
    /** One that no look ever showed may come into view later, or its name may be under another id: both stay on the books. */
    gone(family: string, id: string) {
      const entry = own(family, id);
      if (entry === undefined) return;
      if (entry.isFound) return void entries.delete(keyIn(family, id));
      if (entry.standing === 'claimed' && entry.record.name !== undefined) addUnresolved(family, entry.record.name);
      else if (entry.standing !== 'gone') note('removed', { operation: 'delete', ...entry.record });
      vanished.goes(entry);
      Object.assign(entry, { standing: 'gone', isShownGone: true, isProven: false });
    },
    addUnresolved,
    dismiss: (family: string, name: string) => void unresolved.delete(keyIn(family, name)),
    created: () => list(({ standing }) => standing !== 'gone' && standing !== 'foreign').reverse(),
    owned: () => list(({ standing }) => standing !== 'foreign'),
    unproven: () =>
      list((one) => (one.standing === 'gone' ? !one.isShownGone : one.standing === 'unknown' && one.isTakenIn)),
    unresolved: () => [...unresolved.values()].reverse(),
    leftAlone: (): readonly LeftAlone[] => [...strays].map(([{ record }, stray]) => ({ ...record, ...stray })),
    missing: () => vanished.all(({ family, name = '' }) => isInherited(name) || unresolved.has(keyIn(family, name))),
  };
}
