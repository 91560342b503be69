import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { rangeOf } from '../../rules.ts';
import type { Fields, Kit, Wraps } from '../../seams.ts';
import { nameMember, nameOf, type StoredRecord } from '../../store/store.ts';
import { cross, has } from '../generated/line.ts';
import type { Watch } from '../generated/watch.ts';
import { fromSources, inState, type Mistake, QUOTES } from './effects.ts';

export interface Life {
  /** How it was made, and what was done to it. */
  readonly past: Set<
    'bulk' | 'own-id' | 'generated' | 'renamed' | 'kept-name' | 'recased' | 'refused' | 'mended' | 'wanted'
  >;
  /** The record before its last update. */
  before?: StoredRecord;
  /** Last write: when in milliseconds, what, and on which connection. */
  at: number;
  write?: 'create' | 'update';
  connection?: object | undefined;
}

/** Keeps the lives of all records of a deployment, from their first write on. */
export function lives(
  kit: Kit,
  watch: Watch,
): { readonly of: (id: string) => Life | undefined; readonly wraps: Wraps } {
  const known = new Map<string, Life>();
  const generated = new WeakSet<Fields>();
  const lifeOf = (id: string): Life => {
    const life = known.get(id) ?? { past: new Set(), at: 0 };
    known.set(id, life);
    return life;
  };
  const wrote = (id: string, write: 'create' | 'update') =>
    Object.assign(lifeOf(id), { at: performance.now(), write, connection: watch.now()?.connection });

  const wraps: Wraps = {
    front: ({ handle }) => ({
      handle: async (call) => {
        const answer = await handle(call);
        if (call.route?.op === 'update' && answer.status >= 400) lifeOf(call.params['id'] ?? '').past.add('refused');
        return answer;
      },
    }),
    rules: (inner) => ({
      fill: (name, fields) => {
        const filled = inner.fill(name, fields);
        if (Object.keys(fields).some((member) => fields[member] === -1 && filled[member] !== -1)) generated.add(filled);
        return filled;
      },
      distinct: (name, fields, ownId) => {
        try {
          inner.distinct(name, fields, ownId);
        } catch (fault) {
          const holder = kit.seams.store.find(name, nameMember(name), fields[nameMember(name)]);
          if (ownId === undefined && holder !== undefined) lifeOf(holder.id).past.add('wanted');
          throw fault;
        }
      },
    }),
    store: (inner) => ({
      create: async (name, fields) => {
        const record = await inner.create(name, fields);
        const { past } = wrote(record.id, 'create');
        if (watch.now()?.op === 'bulkSubmit') past.add('bulk');
        if (typeof fields['id'] === 'string') past.add('own-id');
        if (generated.has(fields)) past.add('generated');
        return record;
      },
      update: async (name, id, fields) => {
        const before = inner.get(name, id);
        const made = await inner.update(name, id, fields);
        if (before === undefined) return made;
        const life = wrote(id, 'update');
        if (made.length > 0) life.before = before;
        const [old, given] = [nameOf(name, before), fields[nameMember(name)]];
        if (life.past.has('refused')) life.past.add('mended');
        if (life.past.has('renamed') && given === old) life.past.add('kept-name');
        if (typeof given !== 'string' || given === old) return made;
        life.past.add('renamed');
        if (given.toLowerCase() === old.toLowerCase()) life.past.add('recased');
        return made;
      },
    }),
  };
  return { of: (id) => known.get(id), wraps };
}

type Past = Life['past'] extends Set<infer P> ? P : never;

/** What a record can have been through: families whose records can, and what a mistake about it violates besides. */
const PASTS: Readonly<
  Partial<Record<Past, { readonly fits: (row: Family) => boolean; readonly violates?: readonly string[] }>>
> = {
  'kept-name': { fits: has('update') },
  recased: { fits: has('update') },
  mended: { fits: has('update') },
  wanted: { fits: (row) => has('create')(row) && vendorFacts(row.name).unique !== undefined },
  bulk: { fits: has('create', 'bulkSubmit'), violates: ['SPC-BULK'] },
  generated: {
    fits: (row) => Object.values(fieldsOf(row)).some(({ type }) => rangeOf(type) !== undefined),
    violates: ['RES-SGTVAL'],
  },
  'own-id': { fits: (row) => fieldsOf(row)['id']?.sentOn === 'create+update', violates: ['PAY-ID'] },
};
const UPDATED: readonly string[] = ['kept-name', 'recased', 'mended'] satisfies readonly Past[];

export const HISTORY: readonly Mistake[] = [
  inState({
    id: 'history-effect',
    title: 'a record with this past suffers this',
    sentence: QUOTES.service,
    states: (table) =>
      Object.entries(PASTS).flatMap(([past, { fits }]) => cross(table, fromSources(table, fits), { past: [past] })),
    hasBefore: ({ past }) => UPDATED.includes(String(past)),
    more: ({ past }) => PASTS[past as Past]?.violates ?? [],
    bind: ({ past }, kit, watch) => {
      const { of, wraps } = lives(kit, watch);
      return {
        wraps,
        suffers: ({ id }) => of(id)?.past.has(past as Past) === true,
        before: ({ id }) => of(id)?.before,
      };
    },
  }),
];
