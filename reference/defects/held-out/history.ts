import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { bothWraps } from '../generated/watch.ts';
import { effectsIn, suffering, violatedBy } from './effects.ts';
import { type Life, lives } from './life.ts';
import { has, type Mistake } from './mistake.ts';

type Past = Life['past'] extends Set<infer P> ? P : never;

/** What a record can have been through: families whose records can, and what a mistake about it violates besides. */
const PASTS: Readonly<Partial<Record<Past, { readonly fits: (row: Family) => boolean; readonly violates?: string }>>> =
  {
    'kept-name': { fits: has('update') },
    recased: { fits: has('update') },
    mended: { fits: has('update') },
    wanted: { fits: (row) => has('create')(row) && vendorFacts(row.name).unique !== undefined },
    bulk: { fits: has('create', 'bulkSubmit'), violates: 'SPC-BULK' },
    generated: {
      fits: (row) => Object.values(fieldsOf(row)).some(({ type }) => typeof type === 'object' && 'range' in type),
      violates: 'RES-SGTVAL',
    },
    'own-id': { fits: (row) => fieldsOf(row)['id']?.sentOn === 'create+update', violates: 'PAY-ID' },
  };
const UPDATED: readonly string[] = ['kept-name', 'recased', 'mended'] satisfies readonly Past[];

/** What was done before to a record, met with what is done now. */
export const HISTORY: readonly Mistake[] = [
  {
    id: 'history-effect',
    title: 'a record with this past suffers this',
    sentence: 'It manages these records through create, read, update, delete and list operations.',
    places: (table) =>
      Object.entries(table).flatMap(([family, { viewOf }]) =>
        Object.entries(PASTS)
          .filter(([, { fits }]) => (viewOf ?? [family]).some((name) => table[name] !== undefined && fits(table[name])))
          .flatMap(([past]) =>
            effectsIn(table, family, UPDATED.includes(past)).map((effect) => ({ family, past, effect })),
          ),
      ),
    violates: ({ family, past, effect }) => {
      const { violates: more } = PASTS[past as Past] ?? {};
      return [...violatedBy(effect, family), ...(more === undefined ? [] : [more])];
    },
    install: ({ family, past, effect }, kit, watch) => {
      const { of, wraps } = lives(kit, watch);
      const suffers = ({ id }: { readonly id: string }) => of(id)?.past.has(past as Past) === true;
      return bothWraps(wraps, suffering(effect, { family, kit, watch, suffers, before: ({ id }) => of(id)?.before }));
    },
  },
];
