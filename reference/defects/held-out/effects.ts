import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import type { ListPlan } from '../../query/plan.ts';
import type { Fields, Kit, Query, Store, Wraps } from '../../seams.ts';
import { allOf, arrayList, changesOf, nameMember, type StoredRecord, sameValue } from '../../store/store.ts';
import { has, type Operator, type Place } from '../generated/line.ts';
import type { Watch } from '../generated/watch.ts';

/** A kind of mistake that needs two things to meet; its id is a dimension and a name with a dash, as in `history-effect`. */
export interface Mistake extends Pick<Operator, 'id' | 'places' | 'violates'> {
  readonly title: string;
  /** What it breaks, in the words of the specification; dots stand between sentences of several places. */
  readonly sentence: string;
  readonly install: (place: Place, kit: Kit, watch: Watch) => Wraps | readonly Wraps[];
}

/** Words of the specification that several mistakes break. */
export const QUOTES = {
  service:
    'It manages configuration records, which it calls resources, through create, read, update, delete and list operations.',
  codes:
    'R = GET /{id}; U = PUT /{id} (body, root key below); D = DELETE /{id}; L = GET list; C = POST on the family path (body)',
  ids: 'All ids are strings (resource UUIDs).',
  payload:
    'The create payload of a family is the set of body fields in the Resources part except id (BYOD portal create also accepts id). The update payload of a family is the same set including id',
  filter:
    'triplet field, operator and value separated by dots … EQ (equals), NEQ (not equals), GT (greater than), LT (less than)',
  next: 'the link nextPage whose member href addresses the next page; a client pages by following nextPage.href.',
} as const;

export const filters = (row: Family) => row.filters.length > 0;
export const sorts = (row: Family) => row.sorts.length > 0;
/** Families whose lists get longer by requests, and whose records differ in more than one member. */
export const grows = (row: Family) => row.ops.includes('create') || row.viewOf !== undefined;

export const fromSources = (table: FamilyTable, fits: (row: Family) => boolean) => (row: Family) =>
  (row.viewOf ?? [row.name]).some((name) => table[name] !== undefined && fits(table[name]));

interface Sufferers {
  readonly family: string;
  readonly kit: Kit;
  readonly watch: Watch;
  readonly suffers: (record: StoredRecord) => boolean;
  /** The record as it was, or whatever is shown in its place. */
  readonly before?: (record: StoredRecord) => StoredRecord | undefined;
}

interface Effect {
  readonly fits: (row: Family) => boolean;
  readonly violates: (family: string) => readonly string[];
  readonly wraps: (who: Sufferers) => Wraps;
}

type Records = readonly StoredRecord[];

/** Lists whose plan is of a kind, with their records changed. */
export const relisted =
  (isMine: (name: string, plan: ListPlan) => boolean, change: (records: Records) => Records) =>
  (inner: Query): Partial<Query> => ({
    select: async (name, plan) => {
      const list = await inner.select(name, plan);
      return isMine(name, plan) ? arrayList(change(allOf(list))) : list;
    },
  });

const listing =
  (
    isKind: (plan: ListPlan) => boolean,
    change: (good: Records, bad: Records, all: Records) => Records,
  ): Effect['wraps'] =>
  ({ family, watch, suffers }) => ({
    query: relisted(
      (name, plan) => name === family && isKind(plan),
      (all) => {
        const bad = all.filter((record) => watch.meets(suffers(record)));
        const other = change(
          all.filter((record) => !bad.includes(record)),
          bad,
          all,
        );
        const isSame = other.length === all.length && other.every((record, at) => record === all[at]);
        return isSame ? all : watch.changes(other);
      },
    ),
  });

const reading =
  (show: (record: StoredRecord, before: StoredRecord | undefined) => StoredRecord | undefined): Effect['wraps'] =>
  ({ family, watch, suffers, before }) => ({
    lookup: (inner) => ({
      byId: (name, id) => {
        const record = inner.byId(name, id);
        if (name !== family || record === undefined || !watch.meets(suffers(record))) return record;
        const other = show(record, before?.(record));
        return sameValue(other, record) ? record : watch.changes(other);
      },
    }),
  });

const updating =
  (
    on: (store: Store, name: string, old: StoredRecord, fields: Fields) => ReturnType<Store['update']>,
  ): Effect['wraps'] =>
  ({ family, kit, watch, suffers }) => ({
    store: (inner) => ({
      update: (name, id, fields) => {
        const old = kit.seams.store.get(name, id);
        if (name !== family || old === undefined || !watch.meets(suffers(old))) return inner.update(name, id, fields);
        watch.exposure.changed += 1;
        return on(inner, name, old, fields);
      },
    }),
  });

const keeping = (member: (name: string) => string) =>
  updating((store, name, old, fields) => {
    const { [member(name)]: _kept, ...others } = fields;
    return store.update(name, old.id, others);
  });
const isUpdated = (row: Family) => row.ops.includes('update') || row.viewOf !== undefined;
const op =
  (letter: string, ...more: string[]) =>
  (family: string) => [`OP-${family}-${letter}`, 'SVC-1', ...more];
const filtered = (family: string) => [`FLD-${family}`, 'LST-FILT', 'FOP-*', 'SVC-1'];
const isPlain = ({ criteria, sort }: ListPlan) => criteria.length === 0 && sort === undefined;
const isFiltered = ({ criteria }: ListPlan) => criteria.length > 0;

const EFFECTS: Readonly<Record<string, Effect>> = {
  'not-read': { fits: has('read'), violates: op('R', 'LIST-GET'), wraps: reading(() => undefined) },
  'not-listed': {
    fits: has('list'),
    violates: op('L', 'LST-PAGE', 'LIST-GET'),
    wraps: listing(isPlain, (good) => good),
  },
  'not-filtered': { fits: filters, violates: filtered, wraps: listing(isFiltered, (good) => good) },
  'sorted-last': {
    fits: sorts,
    violates: () => ['LST-SORT'],
    wraps: listing(
      ({ sort }) => sort !== undefined,
      (good, bad) => [...good, ...bad],
    ),
  },
  'listed-twice': {
    fits: has('list'),
    violates: op('L', 'LST-PAGE', 'RES-ID'),
    wraps: listing(isPlain, (_good, bad, all) =>
      all.flatMap((record) => (bad.includes(record) ? [record, record] : [record])),
    ),
  },
  'update-undone': {
    fits: has('update'),
    violates: op('U', 'PAY-U'),
    wraps: updating((_store, _name, old, fields) => changesOf(old, fields)),
  },
  'update-fails': {
    fits: has('update'),
    violates: op('U', 'PAY-U'),
    wraps: updating(() => {
      throw new Problem(500, 'internal', 'The resource cannot be updated');
    }),
  },
  'update-keeps-name': { fits: has('update'), violates: op('U', 'PAY-U'), wraps: keeping(nameMember) },
  'update-keeps-description': { fits: has('update'), violates: op('U', 'PAY-U'), wraps: keeping(() => 'description') },
  'delete-undone': {
    fits: has('delete'),
    violates: op('D'),
    wraps: ({ family, kit, watch, suffers }) => ({
      store: (inner) => ({
        remove: (name, id) => {
          const old = kit.seams.store.get(name, id);
          const isMine = name === family && old !== undefined && watch.meets(suffers(old));
          return isMine ? watch.changes(true) : inner.remove(name, id);
        },
      }),
    }),
  },
};

/** The same for records of which a state before is known. */
const OLD_EFFECTS: Readonly<Record<string, Effect>> = {
  'old-read': {
    fits: (row) => has('read')(row) && isUpdated(row),
    violates: op('R', 'OP-*-U', 'PAY-U', 'FRESH-1', 'LIST-GET', 'RES-ID'),
    wraps: reading((record, before) => before ?? record),
  },
  'old-filtered': {
    fits: (row) => filters(row) && isUpdated(row),
    violates: (family) => [...filtered(family), 'FRESH-1'],
    wraps: ({ family, watch, suffers, before }) => ({
      query: (inner) => ({
        accepts: (record, plan) => {
          const right = inner.accepts(record, plan);
          if (plan.family !== family || !isFiltered(plan) || !watch.meets(suffers(record))) return right;
          return watch.instead(right, inner.accepts(before?.(record) ?? record, plan));
        },
      }),
    }),
  },
};

const ALL = { ...EFFECTS, ...OLD_EFFECTS };
const effectOf = (place: Place) => ALL[String(place['effect'])] ?? (ALL['not-read'] as Effect);

interface State extends Pick<Mistake, 'id' | 'title' | 'sentence'> {
  /** Places without an effect. */
  readonly states: (table: FamilyTable) => readonly Place[];
  /** True if an earlier record, or another one, can be shown in the place of the one that suffers. */
  readonly hasBefore?: (place: Place) => boolean;
  /** False for an effect that a deployment may have there. */
  readonly isWrong?: (place: Place, effect: string) => boolean;
  /** Requirements that are violated besides those of the effect. */
  readonly more?: (place: Place) => readonly string[];
  readonly bind: (
    place: Place,
    kit: Kit,
    watch: Watch,
  ) => Pick<Sufferers, 'suffers' | 'before'> & { readonly wraps?: Wraps };
}

export function inState({ states, hasBefore, isWrong, more, bind, ...about }: State): Mistake {
  return {
    ...about,
    places: (table) =>
      states(table).flatMap((place) =>
        Object.entries(hasBefore?.(place) === true ? ALL : EFFECTS)
          .filter(([name, { fits }]) => fits(table[place.family] as Family) && isWrong?.(place, name) !== false)
          .map(([effect]) => ({ ...place, effect })),
      ),
    violates: (place) => [
      ...effectOf(place).violates(place.family),
      // A view shows nothing but what others hold.
      ...((FAMILIES as FamilyTable)[place.family]?.viewOf === undefined ? [] : ['VIEW-PORTAL']),
      ...(more?.(place) ?? []),
    ],
    install: (place, kit, watch) => {
      const { wraps = {}, ...who } = bind(place, kit, watch);
      return [wraps, effectOf(place).wraps({ family: place.family, kit, watch, ...who })];
    },
  };
}
