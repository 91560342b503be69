import { CONFORMING, type ListRules, modelHolds } from './list-model.ts';

const without = (query: URLSearchParams, ...names: readonly string[]): URLSearchParams => {
  const less = new URLSearchParams(query);
  for (const name of names) less.delete(name);
  return less;
};

const lastFilterOnly = (query: URLSearchParams): URLSearchParams => {
  const filters = query.getAll('filter');
  const less = without(query, 'filter');
  if (filters.length > 0) less.append('filter', filters.at(-1) ?? '');
  return less;
};

const pattern = (wanted: string): RegExp =>
  new RegExp(
    wanted
      .replace(/[+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll('%', '.*')
      .replaceAll('_', '.'),
    's',
  );

type Holds = ListRules['holds'];
const swapping =
  (from: string, to: string): Holds =>
  (operator, held, wanted) =>
    modelHolds(operator === from ? to : operator, held, wanted);

const asText = (value: unknown): unknown => (value === undefined ? undefined : String(value));

/** Ways a list can be wrong, by the number of the seeded defect they stand for, with the requirements that may be accused. */
export const LIST_DEFECTS: readonly {
  readonly name: string;
  readonly violates: readonly string[];
  readonly rules: Partial<ListRules>;
}[] = [
  { name: 'M27 EQ matches substrings', violates: ['FOP-EQ'], rules: { holds: swapping('EQ', 'CONTAINS') } },
  {
    name: 'M28 NEQ returns all',
    violates: ['FOP-NEQ'],
    rules: { holds: (o, h, w) => o === 'NEQ' || modelHolds(o, h, w) },
  },
  {
    name: 'M28 NEQ returns nothing',
    violates: ['FOP-NEQ'],
    rules: { holds: (o, h, w) => o !== 'NEQ' && modelHolds(o, h, w) },
  },
  {
    name: 'M29 GT is inclusive',
    violates: ['FOP-GT'],
    rules: { holds: (o, h, w) => modelHolds(o, h, w) || (o === 'GT' && modelHolds('EQ', h, w)) },
  },
  {
    name: 'M29 LT is inclusive',
    violates: ['FOP-LT'],
    rules: { holds: (o, h, w) => modelHolds(o, h, w) || (o === 'LT' && modelHolds('EQ', h, w)) },
  },
  {
    name: 'M30 integers are compared as text',
    violates: ['FOP-GT', 'FOP-LT'],
    rules: { holds: (o, h, w) => modelHolds(o, o === 'GT' || o === 'LT' ? asText(h) : h, w) },
  },
  {
    name: 'M31 STARTSW acts as CONTAINS',
    violates: ['FOP-STARTSW'],
    rules: { holds: swapping('STARTSW', 'CONTAINS') },
  },
  { name: 'M31 ENDSW acts as CONTAINS', violates: ['FOP-ENDSW'], rules: { holds: swapping('ENDSW', 'CONTAINS') } },
  {
    name: 'M32 NSTARTSW loses its negation',
    violates: ['FOP-NSTARTSW'],
    rules: { holds: swapping('NSTARTSW', 'STARTSW') },
  },
  { name: 'M32 NENDSW loses its negation', violates: ['FOP-NENDSW'], rules: { holds: swapping('NENDSW', 'ENDSW') } },
  { name: 'M33 NCONTAINS acts as NEQ', violates: ['FOP-NCONTAINS'], rules: { holds: swapping('NCONTAINS', 'NEQ') } },
  {
    name: 'M34 only the first filter counts',
    violates: ['LST-FILT', 'LST-FTYPE', 'LST-NEXT'],
    rules: { joins: (all) => all[0] === true },
  },
  {
    name: 'M34 only the last filter counts',
    violates: ['LST-FILT', 'LST-FTYPE', 'LST-NEXT'],
    rules: { joins: (all) => all.at(-1) === true },
  },
  { name: 'M35 filters are joined by OR', violates: ['LST-FTYPE'], rules: { joins: (all) => all.some(Boolean) } },
  { name: 'M36 filterType is ignored', violates: ['LST-FTYPE'], rules: { joins: (all) => all.every(Boolean) } },
  {
    name: 'M37 the value is cut at its dot',
    violates: ['LST-FILT'],
    rules: {
      split: (t) =>
        (([field = '', operator = '', value]) =>
          value === undefined ? undefined : ([field, operator, value] as const))(t.split('.')),
    },
  },
  {
    name: 'M37 the value is not decoded',
    violates: ['LST-FILT'],
    rules: {
      split: (t) =>
        (([f, o, v]) => [f, o, encodeURIComponent(v).replaceAll('%3A', ':')] as const)(
          CONFORMING.split(t) ?? ['', '', ''],
        ),
    },
  },
  {
    name: 'M38 values are patterns',
    violates: ['FOP-CONTAINS'],
    rules: {
      holds: (o, h, w) => (o === 'CONTAINS' && h !== undefined ? pattern(w).test(String(h)) : modelHolds(o, h, w)),
    },
  },
  {
    name: 'M39 sortdsc sorts ascending',
    violates: ['LST-SORT'],
    rules: { order: (items, sort, q) => (q.has('sortdsc') ? sort(items).reverse() : sort(items)) },
  },
  {
    name: 'M39 sortasc is ignored',
    violates: ['LST-SORT'],
    rules: { order: (items, sort, q) => (q.has('sortasc') ? [...items] : sort(items)) },
  },
  {
    name: 'M40 numbers are sorted as text',
    violates: ['LST-SORT'],
    rules: { compare: (a, b) => CONFORMING.compare(asText(a), asText(b)) },
  },
  {
    name: 'M41 sorting drops records without the field',
    violates: ['LST-SORT'],
    rules: {
      order: (items, sort, q) =>
        sort(items).filter(
          ({ description }) => (q.get('sortasc') ?? q.get('sortdsc')) !== 'description' || description !== undefined,
        ),
    },
  },
  {
    name: 'M42 sorting is inside the page',
    violates: ['LST-SORT', 'LST-NEXT'],
    rules: {
      order: (items, sort, q) => {
        const size = Number(q.get('size') ?? 20);
        return items.flatMap((_, index) => (index % size === 0 ? sort(items.slice(index, index + size)) : []));
      },
    },
  },
  {
    name: 'M43 pages overlap by one',
    violates: ['LST-PAGE', 'LST-NEXT'],
    rules: {
      cut: (items, page, size) =>
        items.slice(Math.max(0, page * size - (page > 0 ? 1 : 0)), page * size + size - (page > 0 ? 1 : 0)),
    },
  },
  {
    name: 'M43 a page skips one',
    violates: ['LST-PAGE', 'LST-NEXT'],
    rules: {
      cut: (items, page, size) =>
        items.slice(page * size + (page > 0 ? 1 : 0), page * size + size + (page > 0 ? 1 : 0)),
    },
  },
  {
    name: 'M44 the last record is never listed',
    violates: ['LST-NEXT'],
    rules: { order: (items, sort) => sort(items).slice(0, Math.max(0, items.length - 1)) },
  },
  { name: 'M45 nextPage is never there', violates: ['LST-NEXT'], rules: { hasNext: () => false } },
  {
    name: 'M45 nextPage is missing before the last page',
    violates: ['LST-NEXT'],
    rules: { hasNext: (page, size, total) => (page + 2) * size < total },
  },
  { name: 'M46 nextPage loses the filters', violates: ['LST-NEXT'], rules: { href: (q) => without(q, 'filter') } },
  { name: 'M46 nextPage loses all filters but one', violates: ['LST-NEXT'], rules: { href: lastFilterOnly } },
  { name: 'M46 nextPage loses filterType', violates: ['LST-NEXT'], rules: { href: (q) => without(q, 'filterType') } },
  {
    name: 'M47 nextPage loses the sort',
    violates: ['LST-NEXT'],
    rules: { href: (q) => without(q, 'sortasc', 'sortdsc') },
  },
  { name: 'M47 nextPage loses the size', violates: ['LST-NEXT'], rules: { href: (q) => without(q, 'size') } },
  {
    name: 'M48 page is ignored',
    violates: ['LST-PAGE', 'LST-NEXT'],
    rules: { cut: (items, _page, size) => items.slice(0, size), hasNext: (_p, size, total) => size < total },
  },
  {
    name: 'M48 nextPage leads to an empty page',
    violates: ['LST-NEXT'],
    rules: { hasNext: (page, size, total) => page * size < total },
  },
  {
    name: 'M49 pages hold one too many',
    violates: ['LST-SIZE'],
    rules: { cut: (items, page, size) => items.slice(page * size, page * size + size + 1) },
  },
  {
    name: 'M49 size is ignored',
    violates: ['LST-SIZE'],
    rules: {
      cut: (items, page) => items.slice(page * 20, page * 20 + 20),
      hasNext: (page, _s, total) => (page + 1) * 20 < total,
    },
  },
  {
    name: 'EQ ignores case and the others do not',
    violates: ['FOP-EQ', 'FOP-NEQ'],
    rules: {
      holds: (o, h, w) =>
        (o === 'EQ' || o === 'NEQ') && typeof h === 'string'
          ? modelHolds(o, h.toLowerCase(), w.toLowerCase())
          : modelHolds(o, h, w),
    },
  },
];
