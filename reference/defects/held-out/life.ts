import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { Fields, Kit, Wraps } from '../../seams.ts';
import type { StoredRecord } from '../../store/record.ts';
import type { Watch } from '../generated/watch.ts';

/** What happened to one record so far. */
export interface Life {
  bulk: boolean;
  ownId: boolean;
  generated: boolean;
  renamed: boolean;
  /** Updated again with the name that an update had given it. */
  keptName: boolean;
  /** Renamed so that only the case differs. */
  recased: boolean;
  refused: boolean;
  /** Updated well after an update that was refused. */
  mended: boolean;
  /** Somebody was refused the same name. */
  wanted: boolean;
  /** The record before its last update. */
  before: StoredRecord | undefined;
  /** Last write: when in milliseconds, what, and on which connection. */
  at: number;
  write: 'create' | 'update' | 'none';
  connection: object | undefined;
}

/** Member that a record goes by. */
export const nameMember = (family: string): string => vendorFacts(family).unique?.[0] ?? 'name';
export const nameOf = (family: string, record: Fields): string => String(record[nameMember(family)] ?? '');

const born = (): Life => ({
  bulk: false,
  ownId: false,
  generated: false,
  renamed: false,
  keptName: false,
  recased: false,
  refused: false,
  mended: false,
  wanted: false,
  before: undefined,
  at: performance.now(),
  write: 'none',
  connection: undefined,
});

/** Keeps the lives of all records of a deployment. */
export function lives(
  kit: Kit,
  watch: Watch,
): { readonly of: (id: string) => Life | undefined; readonly wraps: Wraps } {
  const known = new Map<string, Life>();
  const generated = new WeakSet<Fields>();
  const lifeOf = (id: string): Life => {
    const life = known.get(id) ?? born();
    known.set(id, life);
    return life;
  };
  const wrote = (id: string, write: Life['write'], more: Partial<Life>) =>
    Object.assign(lifeOf(id), { at: performance.now(), write, connection: watch.now()?.connection, ...more });

  const wraps: Wraps = {
    front: ({ handle }) => ({
      handle: async (call) => {
        const answer = await handle(call);
        const { id } = call.params;
        if (call.route?.op === 'update' && id !== undefined && answer.status >= 400) lifeOf(id).refused = true;
        return answer;
      },
    }),
    rules: (inner) => ({
      fill: (name, fields) => {
        const filled = inner.fill(name, fields);
        if (Object.entries(fields).some(([member, value]) => value === -1 && filled[member] !== -1))
          generated.add(filled);
        return filled;
      },
      distinct: (name, fields, ownId) => {
        try {
          inner.distinct(name, fields, ownId);
        } catch (fault) {
          const holder = kit.seams.store.find(name, nameMember(name), fields[nameMember(name)]);
          if (ownId === undefined && holder !== undefined) lifeOf(holder.id).wanted = true;
          throw fault;
        }
      },
    }),
    store: (inner) => ({
      create: async (name, fields) => {
        const record = await inner.create(name, fields);
        const ways = { bulk: watch.now()?.op === 'bulkSubmit', ownId: typeof fields['id'] === 'string' };
        wrote(record.id, 'create', { ...ways, generated: generated.has(fields) });
        return record;
      },
      update: async (name, id, fields) => {
        const before = inner.get(name, id);
        const made = await inner.update(name, id, fields);
        if (before === undefined) return made;
        const { renamed, keptName, recased, refused, mended } = lifeOf(id);
        const [old, given] = [nameOf(name, before), fields[nameMember(name)]];
        const isNew = typeof given === 'string' && given !== old;
        wrote(id, 'update', {
          before: made.length > 0 ? before : lifeOf(id).before,
          renamed: renamed || isNew,
          keptName: keptName || (renamed && given === old),
          recased: recased || (isNew && given.toLowerCase() === old.toLowerCase()),
          mended: mended || refused,
        });
        return made;
      },
    }),
  };
  return { of: (id) => known.get(id), wraps };
}
