import type { LeftAlone, OwnRecord } from '../types.ts';
import type { Entry } from './record-entry.ts';

const GONE = 'it was shown, and was gone before this run removed it: somebody else did, or another deployment answers';
const NEVER_SHOWN =
  'its create was answered with success, and no look ever showed it: it was not stored, or another deployment answers';

/** Records of the run that are gone although no delete that it sent explains it: they may be on another deployment. */
export function openVanished(entries: ReadonlyMap<string, Entry>, isRemoved: (id: string) => boolean) {
  const lost = new Set<Entry>();
  /** Families of which a delete was answered with success. */
  const removes = new Set<string>();
  /** A look shows that a record is gone: neither it was removed, nor one that it refers to. */
  const goes = (entry: Entry) => {
    if (entry.standing === 'ours' && !entry.wasDeleted && !entry.refersTo.some(isRemoved)) lost.add(entry);
  };
  const whyOf = (entry: Entry, at: number, made: readonly Entry[]) => {
    if (entry.standing !== 'gone' || lost.has(entry)) return entry.standing === 'gone' ? GONE : undefined;
    if (entry.wasDeleted || entry.provenMs !== undefined) return undefined;
    const { family, id, name = '' } = entry.record;
    // It may be shown since under another id, or as a record of another family.
    const isSame = ({ record }: Entry) =>
      record.id === id || (record.family === family && name !== '' && record.name === name);
    return made.some((one, its) => its > at && isSame(one)) ? undefined : NEVER_SHOWN;
  };
  return {
    goes,
    /** A delete was answered: by 404 if `isAbsent`, which a target that removed others well does not say of one that it removes. */
    deleted(entry: Entry, isDone: boolean, isAbsent: boolean) {
      const { family } = entry.record;
      if (!isAbsent) lost.delete(entry);
      else if (removes.has(family)) goes(entry);
      if (isDone && !isAbsent) removes.add(family);
    },
    /** What no look showed since, apart from what `isOpen` says may still come. */
    all(isOpen: (record: OwnRecord) => boolean): readonly LeftAlone[] {
      const made = [...entries.values()];
      // A family that shows none of its records takes none: that is a fault of its create, and nothing is left.
      const shows = new Set(made.flatMap(({ provenMs, record }) => (provenMs === undefined ? [] : record.family)));
      return made.flatMap((entry, at) => {
        const isLeft = shows.has(entry.record.family) && !isOpen(entry.record);
        const why = isLeft ? whyOf(entry, at, made) : undefined;
        return why === undefined ? [] : [{ ...entry.record, kind: 'vanished', why }];
      });
    },
  };
}
