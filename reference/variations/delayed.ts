import { ancFamily } from '../../lib/wire/anc.ts';
import { type Kit, type Store, telling, type Wraps } from '../seams.ts';
import { allOf, arrayList, type RecordList, type StoredRecord } from '../store/record.ts';

/** Milliseconds after which a write is seen by reads. */
const DELAY_MS = 250;

/** Records as readers still see them: the version before a write, or none before a create. */
type Before = Map<string, { readonly family: string; readonly record: StoredRecord | undefined }>;

const never = (): boolean => false;

/** What readers see of a family: the records there are, with what they do not know of yet put back. */
function seenBy(inner: Store, before: Before, name: string): readonly StoredRecord[] {
  const sources = inner.sources(name);
  const now = allOf(inner.list(name));
  const known = new Set(now.map(({ id }) => id));
  const seen = now.flatMap((record) => {
    const held = before.get(record.id);
    if (held === undefined) return [record];
    return held.record === undefined ? [] : [held.record];
  });
  const removed = [...before].flatMap(([id, { family, record }]) =>
    !known.has(id) && record !== undefined && sources.includes(family) ? [record] : [],
  );
  return [...seen, ...removed];
}

/** Writes act at once; lists and reads show them a moment later, unless a node answers that knows of them. */
function delayed(kit: Kit, isLate: (family: string) => boolean, isKnowing = never, delayMs = DELAY_MS): Wraps {
  const before: Before = new Map();
  // Results are remembered by the version: a write that comes into view is a new one.
  let shown = 0;
  const hide = (family: string, id: string, record: StoredRecord | undefined) => {
    if (!isLate(family) || before.has(id)) return;
    before.set(id, { family, record });
    void kit.wait(delayMs).then(() => {
      before.delete(id);
      shown += 1;
    });
  };
  return {
    store: (inner) => ({
      ...telling((kind, family, id, record) => hide(family, id, kind === 'create' ? undefined : record))(inner),
      list: (name) => (before.size === 0 || isKnowing() ? inner.list(name) : arrayList(seenBy(inner, before, name))),
      // While some know and some do not, no result is remembered.
      version: (name) => {
        if (before.size > 0 && isKnowing !== never) shown += 1;
        return inner.version(name) + shown;
      },
    }),
    lookup: (inner) => ({
      byId: (name, id) => {
        const held = before.get(id);
        return held === undefined || isKnowing() || !kit.seams.store.sources(name).includes(held.family)
          ? inner.byId(name, id)
          : held.record;
      },
    }),
  };
}

export const delayedVisibility = (kit: Kit, delayMs = DELAY_MS): Wraps => delayed(kit, () => true, never, delayMs);

export const twoNodes = (kit: Kit): Wraps =>
  delayed(
    kit,
    () => true,
    () => kit.random() < 0.5,
  );

export const delayedEndpoints = (kit: Kit): Wraps => delayed(kit, (family) => family === ancFamily(kit.table));

/** A list that was asked for a moment ago is shown as it was then; reads show each write at once. */
export function keptLists({ wait }: Kit): Wraps {
  const kept = new Map<string, Promise<RecordList>>();
  return {
    query: (inner) => ({
      select: (name, plan) => {
        const key = JSON.stringify([name, plan]);
        const known = kept.get(key);
        if (known !== undefined) return known;
        const now = Promise.resolve(inner.select(name, plan)).then((list) => arrayList(allOf(list)));
        kept.set(key, now);
        void wait(DELAY_MS).then(() => kept.delete(key));
        return now;
      },
    }),
  };
}
