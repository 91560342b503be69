import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { rangeOf } from '../../field-type.ts';
import { cross, has } from '../generated/line.ts';
import { inState } from './effects.ts';
import { type Life, lives } from './life.ts';
import { fromSources, type Mistake, QUOTES } from './mistake.ts';

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
