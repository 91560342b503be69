import { OPS, PATH_PREFIX } from '../../lib/contract/operations.ts';
import { fieldsOf } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { ancFamily } from '../../lib/wire/anc.ts';
import { encodeQuery } from '../../lib/wire/query.ts';
import { Problem } from '../answers/problem.ts';
import { choice, type Variation, variation } from '../deviation.ts';
import { type Fields, type Kit, type Store, shaping, telling, type Wraps } from '../seams.ts';
import { allOf, arrayList, type RecordList, type StoredRecord } from '../store/store.ts';
import { forbid } from './answers.ts';

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

const NEXT = 'LST-NEXT: addresses the next page';

/** Members that a server fills in where the client sent none. */
function serverFilled(kit: Kit, name: string, fields: Fields): Fields {
  const own = vendorFacts(name).serverFilled ?? [];
  const filled: Record<string, unknown> = { ...fields };
  for (const [field, { type, form }] of Object.entries(fieldsOf(kit.table[name]))) {
    const held = filled[field];
    if (type === 'integer' && (held === undefined || own.includes(field))) filled[field] = 1;
    else if (form === 'url' && held === undefined) filled[field] = 'https://portal.example.com:8443/portal/test';
    else if (type === 'object') filled[field] = { serverDefault: true, ...((held ?? {}) as Fields) };
    else if (type === 'object[]' && Array.isArray(held))
      filled[field] = held.map((item: Fields, index) => ({ id: `item-${index + 1}`, ...item }));
  }
  return filled;
}

export const BEHAVIOR_VARIATIONS: readonly Variation[] = [
  variation('V07', 'nextPage.href is relative', NEXT, () => ({
    pager: () => ({ href: (_call, path, pairs) => path + encodeQuery(pairs) }),
  })),
  variation('V07b', 'nextPage.href names another host', NEXT, 'pager', () => ({
    href: (_call, path, pairs) => `https://node-1.example.com:9060${path}${encodeQuery(pairs)}`,
  })),
  variation('V07c', 'nextPage.href encodes its query in another way', NEXT, 'pager', () => ({
    href: ({ request }, path, pairs) =>
      `${request.origin}${path}${encodeQuery(pairs).replaceAll('%20', '+').replaceAll('.', '%2E')}`,
  })),
  choice('V16', 'duplicate names and values are allowed', 'not stated', { duplicates: 'allow' }),
  choice('V17', 'members left out of an update are cleared', 'not stated', { omittedOnUpdate: 'clear' }),
  choice('V19', 'a create needs a description', 'G-05', { requiredOnCreate: ['description'] }),
  choice('V19b', 'names are of letters, digits, underscore and dash, at most 32', 'no grammar of names', {
    refusedNames: /[^A-Za-z0-9_-]|.{33}/s,
  }),
  variation('V20', 'writes are seen by reads a moment later', 'FRESH-1', delayedVisibility),
  variation(
    'V21',
    'this login may only read',
    'G-10',
    forbid(({ route }) => route !== undefined && OPS[route.op].mutates),
  ),
  choice('V21b', 'writes need a CSRF token', 'G-09', { csrf: true }),
  variation(
    'V21c',
    'this login may not submit bulk requests',
    'G-10',
    forbid(({ route }) => route?.op === 'bulkSubmit'),
  ),
  variation('V22', 'the server fills members in', 'G-02, G-03', 'rules', (inner, kit) => ({
    fill: (name, fields) => serverFilled(kit, name, inner.fill(name, fields)),
  })),
  choice('V24', 'a second delete succeeds', 'G-12', { secondDelete: 'accept' }),
  variation('V24b', 'a record marked read-only cannot be deleted', 'G-12', 'store', (inner) => ({
    remove: (name, id) => {
      if (inner.get(name, id)?.['isReadOnly'] === true) throw new Problem(400, 'crud', 'The record is read-only');
      return inner.remove(name, id);
    },
  })),
  choice('V25', 'the action of a bulk request is called import, change or remove', 'G-08', {
    operationTypes: { import: 'create', change: 'update', remove: 'delete' },
  }),
  variation(
    'V25b',
    'the bulk monitor has another body and other words',
    'G-07',
    shaping((outcome, { request }) => {
      const { kind, document } = outcome;
      if (kind !== 'bulkStatus' || document === undefined) return outcome;
      const done = document.value['executionStatus'] === 'COMPLETED';
      const id = request.path.slice(PATH_PREFIX.length).split('/').at(-1);
      return { ...outcome, document: { ...document, root: 'Job', value: { id, state: done ? 'DONE' : 'RUNNING' } } };
    }),
  ),
];
