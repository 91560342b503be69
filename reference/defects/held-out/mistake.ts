import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import type { Kit, Wraps } from '../../seams.ts';
import type { Operator, Place } from '../generated/line.ts';
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
