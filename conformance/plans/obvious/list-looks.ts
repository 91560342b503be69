import { COMPARING, type Operator } from '../../../lib/contract/list.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import type { FilterTypeSpelling } from '../../../lib/wire/query.ts';
import { ENCODED } from '../../kit/list/seeded-records.ts';
import { kindOf } from '../../kit/list/value.ts';
import type { Criterion, ListLook, Part } from '../../steps/step.ts';
import { other } from '../pairs/row-looks.ts';
import { filtered, list } from './looks.ts';
import { labelOf } from './population.ts';

/** A part of several of the texts that records are made with, and of none that begins a name. */
const TOKEN = 'beta';

type Operand = readonly [at: number, part: Part] | string;

/** What an operator is asked for: parts of what records hold, and texts, that tell the ten operators apart. */
function operandsOf(kind: ReturnType<typeof kindOf>, operator: Operator): readonly Operand[] {
  const isWhole = COMPARING.includes(operator);
  if (kind === 'boolean') return isWhole ? ['true', 'false'] : ['true', 'tru', 'se'];
  if (kind === 'text') return [[0, 'whole'], [1, 'start'], [3, 'end'], [4, 'other case'], TOKEN];
  if (isWhole) return [0, 1, 2, 3].map((at) => [at, 'whole']);
  return (['whole', 'start', 'end'] as const).map((part, at) => [at + 1, part]);
}

/** Every operand of an operator on a field. */
export function operatorLooks(family: Family, field: string, operator: Operator, size: number): readonly ListLook[] {
  return operandsOf(kindOf(family, field), operator).map((operand) =>
    typeof operand === 'string'
      ? filtered({ field, operator, part: 'whole', text: operand }, { size })
      : { ...filtered({ field, operator, part: operand[1] }, { size }), about: labelOf(operand[0]) },
  );
}

const textFields = (family: Family) => family.filters.filter((field) => kindOf(family, field) === 'text');

const equal = (field: string): Criterion => ({ field, operator: 'EQ', part: 'whole' });
const holding = (field: string): Criterion => ({ field, operator: 'CONTAINS', part: 'shared', text: TOKEN });

/** Two and three criteria, over one field and over every two, overlapping ones and such that exclude each other. */
export function joinLooks(
  family: Family,
  join: 'or' | undefined,
  size: number,
  spelling?: FilterTypeSpelling,
): readonly ListLook[] {
  const query = { size, ...defined({ join, spelling }) };
  return family.filters.flatMap((field, at): ListLook[] => {
    const isText = kindOf(family, field) === 'text';
    const first: Criterion = { field, operator: isText ? 'CONTAINS' : 'EQ', part: isText ? 'end' : 'whole' };
    const unlike: Criterion = { ...equal(field), operator: 'NEQ' };
    const several = isText ? holding(field) : kindOf(family, field) === 'integer' ? unlike : first;
    return [
      list({ criteria: [first, other(field)], ...query }),
      // What one record alone fits, no filter on another field can part.
      ...family.filters.slice(at + 1).map((each) => list({ criteria: [several, other(field, each)], ...query })),
      // Of the records that two filters leave, the third has to leave out some.
      list({ criteria: [isText ? several : first, other(field), other(field)], ...query }),
      list({ criteria: [first, first], ...query }),
      list({ criteria: [equal(field), { ...equal(field), of: labelOf(4) }], ...query }),
      list({ criteria: [unlike, { ...unlike, of: labelOf(4) }], ...query }),
    ];
  });
}

/** Pages of one walk at most: of a longer list the records of the run alone are asked for, or larger pages. */
const PAGES = 40;

/** A list of known length read page by page: small sizes, one that leaves a rest, half of it, one less than it, and all of it. */
export function pageLooks(count: number, paging: 'link' | 'number', small: readonly number[]): readonly ListLook[] {
  const sizes = new Set([...small, Math.ceil(count / 2), count - 1, count]);
  return [...sizes]
    .filter((size) => size >= 1 && size <= Math.max(1, count))
    .map((size) => list({ criteria: [], size, pages: PAGES, paging }));
}

const sortLook = (field: string, descending: boolean, size: number, criteria: readonly Criterion[] = []): ListLook =>
  list({ criteria, sort: { field, descending }, size, pages: PAGES });

/** A sorted list in small pages, and one that is filtered and turned round in pages of one. */
export const sortedPages = (family: Family, field: string): readonly ListLook[] => {
  const criteria = textFields(family).slice(0, 1).map(holding);
  return [sortLook(field, false, 4), sortLook(field, true, criteria.length > 0 ? 1 : 4, criteria)];
};

/** Whole lists that are sorted: of everything, and of the records that pass a filter. */
export const sortLooks = (family: Family, field: string, descending: boolean, size: number): readonly ListLook[] =>
  [[], ...textFields(family).map((one) => [holding(one)])]
    .slice(0, 2)
    .map((criteria) => sortLook(field, descending, size, criteria));

export function filteredPages(family: Family, join?: 'or'): readonly ListLook[] {
  return textFields(family).flatMap((field): ListLook[] => {
    const more = { size: 1, pages: PAGES };
    if (join === 'or') return [list({ criteria: [equal(field), { ...equal(field), of: labelOf(4) }], join, ...more })];
    const unlike: Criterion = { ...equal(field), operator: 'NEQ' };
    return [
      list({ criteria: [holding(field)], ...more }),
      list({ criteria: [unlike, { ...unlike, of: labelOf(4) }], size: 7, pages: PAGES }),
      // Reads as another text, or as another filter, if a link does not encode it.
      { ...list({ criteria: [unlike], size: 7, pages: PAGES }), about: labelOf(ENCODED) },
      list({ criteria: [{ ...unlike, text: `x&filter=${field}.EQ.${TOKEN}` }], size: 7, pages: PAGES }),
    ];
  });
}

/** Each listed filter field once, and each listed sort field in both directions. */
export function fieldLooks({ filters, sorts }: Family): readonly ListLook[] {
  return [
    ...filters.map((field) => filtered(equal(field))),
    ...sorts.flatMap((field) => [false, true].map((descending) => sortLook(field, descending, 20))),
  ];
}

/** The parameters that a list without sort fields takes: the last sentence of "Operations per family". */
export function parameterLooks({ filters }: Family): readonly ListLook[] {
  const first = filters.slice(0, 1);
  return [
    list({ criteria: [], size: 1 }),
    list({ criteria: [], size: 1, paging: 'number' }),
    list({ criteria: first.map(equal) }),
    list({ criteria: first.flatMap((field) => [equal(field), other(field)]), join: 'or' }),
  ];
}
