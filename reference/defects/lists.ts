import type { Operator } from '../../lib/contract/list.ts';
import { type Defect, defect } from '../deviation.ts';
import { compareToFilter, compareValues, HOLDS, type ListPlan, textOf } from '../query/plan.ts';
import type { PageRange, Pager, Query } from '../seams.ts';

/** Whether a value meets a filter; undefined if that is as it was. */
type Holds = (value: unknown, filter: string) => boolean | undefined;

const meaning = (
  id: string,
  title: string,
  violates: Defect['violates'],
  operators: Readonly<Partial<Record<Operator, Holds>>>,
): Defect =>
  defect(id, title, violates, 'query', (inner) => ({
    holds: (record, criterion) => {
      const value = record[criterion.member];
      const other = value === undefined ? undefined : operators[criterion.operator]?.(value, criterion.value);
      return other ?? inner.holds(record, criterion);
    },
  }));

const WILDCARDS: Readonly<Record<string, string>> = { '%': '.*', '*': '.*', _: '.', '.': '.' };

/** Value of a filter as a pattern in which %, *, _ and . stand for other characters. */
function pattern(value: string, before: string, after: string): RegExp {
  const source = value.replace(/[\\^$+?()[\]{}|%*_.]/g, (character) => WILDCARDS[character] ?? `\\${character}`);
  return new RegExp(before + source + after, 's');
}

const asPattern =
  (before: string, after: string, wanted: boolean): Holds =>
  (value, filter) =>
    typeof value === 'string' ? pattern(filter, before, after).test(value) === wanted : undefined;

const FILTER_DEFECTS: readonly Defect[] = [
  meaning('M27', 'EQ keeps values that contain the filter value', ['FOP-EQ'], { EQ: HOLDS.CONTAINS }),
  meaning('M28', 'NEQ keeps everything', ['FOP-NEQ'], { NEQ: () => true }),
  meaning('M29', 'GT and LT keep the equal value', ['FOP-GT', 'FOP-LT'], {
    GT: (value, filter) => compareToFilter(value, filter) >= 0,
    LT: (value, filter) => compareToFilter(value, filter) <= 0,
  }),
  meaning('M30', 'integers are compared as texts by GT and LT', ['RES-TYPE', 'FOP-GT', 'FOP-LT'], {
    GT: (value, filter) => compareValues(textOf(value), filter) > 0,
    LT: (value, filter) => compareValues(textOf(value), filter) < 0,
  }),
  meaning('M31', 'STARTSW and ENDSW keep values that contain the filter value', ['FOP-STARTSW', 'FOP-ENDSW'], {
    STARTSW: HOLDS.CONTAINS,
    ENDSW: HOLDS.CONTAINS,
  }),
  meaning('M32', 'NSTARTSW and NENDSW lose their negation', ['FOP-NSTARTSW', 'FOP-NENDSW'], {
    NSTARTSW: HOLDS.STARTSW,
    NENDSW: HOLDS.ENDSW,
  }),
  meaning('M33', 'NCONTAINS keeps every value but the equal one', ['FOP-NCONTAINS'], { NCONTAINS: HOLDS.NEQ }),
  defect('M34', 'only the first of repeated filters is applied', ['LST-FILT'], 'query', (inner) => ({
    accepts: (record, plan) => inner.accepts(record, { ...plan, criteria: plan.criteria.slice(0, 1) }),
  })),
  defect('M35', 'repeated filters are joined by OR unless told otherwise', ['LST-FTYPE'], 'query', (inner) => ({
    accepts: (record, plan) => {
      const told = plan.pairs.some(([name]) => name.toLowerCase() === 'filtertype');
      return inner.accepts(record, told ? plan : { ...plan, join: 'or' });
    },
  })),
  defect('M36', 'filterType is ignored', ['LST-FTYPE'], 'query', (inner) => ({
    accepts: (record, plan) => inner.accepts(record, { ...plan, join: 'and' }),
  })),
  defect('M37', 'the value of a filter ends at its first dot', ['LST-FILT'], 'query', (inner) => ({
    split: (triplet) => {
      const parts = inner.split(triplet);
      return parts === undefined ? undefined : [parts[0], parts[1], parts[2].split('.')[0] ?? ''];
    },
  })),
  meaning('M38', '%, *, _ and . in the value of a filter stand for other characters', ['FOP-CONTAINS', 'FOP-*'], {
    EQ: asPattern('^', '$', true),
    NEQ: asPattern('^', '$', false),
    STARTSW: asPattern('^', '', true),
    NSTARTSW: asPattern('^', '', false),
    ENDSW: asPattern('', '$', true),
    NENDSW: asPattern('', '$', false),
    CONTAINS: asPattern('', '', true),
    NCONTAINS: asPattern('', '', false),
  }),
];

const SORT_DEFECTS: readonly Defect[] = [
  defect('M39', 'sortdsc sorts in ascending order', ['LST-SORT'], 'query', (inner) => ({
    order: (plan) =>
      inner.order(plan.sort === undefined ? plan : { ...plan, sort: { ...plan.sort, descending: false } }),
  })),
  defect('M40', 'integers are sorted as texts', ['LST-SORT', 'RES-TYPE'], 'query', (inner) => ({
    order: (plan) => {
      const order = inner.order(plan);
      const member = plan.sort?.member ?? '';
      const texts = (record: Parameters<NonNullable<typeof order>>[0]) =>
        typeof record[member] === 'number' ? { ...record, [member]: String(record[member]) } : record;
      return order === undefined ? undefined : (a, b) => order(texts(a), texts(b));
    },
  })),
  defect('M41', 'a sorted list lacks the records without the field', ['LST-SORT'], 'query', (inner) => ({
    accepts: (record, plan) =>
      (plan.sort === undefined || record[plan.sort.member] !== undefined) && inner.accepts(record, plan),
  })),
  defect('M42', 'each page is sorted by itself', ['LST-SORT', 'LST-NEXT'], () => {
    let order: Query['order'] = () => undefined;
    return {
      query: (inner) => {
        order = inner.order;
        return { order: () => undefined };
      },
      pager: (inner) => ({
        items: (list, range, plan) => {
          const compare = order(plan);
          const items = inner.items(list, range, plan);
          return compare === undefined ? items : [...items].sort(compare);
        },
      }),
    };
  }),
];

export const LIST_DEFECTS: readonly Defect[] = [...FILTER_DEFECTS, ...SORT_DEFECTS];

export const ranged =
  (change: (range: PageRange, plan: ListPlan, total: number) => PageRange) =>
  (pager: Pager): Partial<Pager> => ({ range: (plan, total) => change(pager.range(plan, total), plan, total) });

export const linked =
  (lost: RegExp) =>
  (pager: Pager): Partial<Pager> => ({
    linkPairs: (plan, page) => pager.linkPairs(plan, page).filter(([name]) => !lost.test(name)),
  });

/** True for the last of several pages. */
export const isLast = ({ hasNext, hasPrevious }: PageRange): boolean => hasPrevious && !hasNext;

export const PAGING_DEFECTS: readonly Defect[] = [
  defect(
    'M43',
    'a page begins with the last record of the one before',
    ['LST-PAGE', 'LST-NEXT'],
    'pager',
    ranged((range) => (range.hasPrevious ? { ...range, from: range.from - 1, to: range.to - 1 } : range)),
  ),
  defect(
    'M44',
    'the last record of a list of several pages is never listed',
    ['LST-NEXT', 'LST-PAGE'],
    'pager',
    ranged((range, _plan, total) => (isLast(range) ? { ...range, to: Math.max(range.from, total - 1) } : range)),
  ),
  defect('M45', 'nextPage is missing where exactly one page remains', ['LST-NEXT'], 'pager', (inner) => ({
    range: (plan, total) => {
      const range = inner.range(plan, total);
      return { ...range, hasNext: range.hasNext && range.to + plan.size < total };
    },
  })),
  defect(
    'M46',
    'the link to the next page loses the filters and filterType',
    ['LST-NEXT'],
    'pager',
    linked(/^filter/i),
  ),
  defect('M47', 'the link to the next page loses sort and size', ['LST-NEXT'], 'pager', linked(/^(sort|size)/i)),
  defect(
    'M48',
    'page is ignored: every page is the first one and has a next one',
    ['LST-PAGE', 'LST-NEXT'],
    'pager',
    (inner, kit) => ({
      range: (plan, total) => inner.range({ ...plan, page: kit.seams.dialect.firstPage }, total),
    }),
  ),
  defect('M49', 'a page holds one record more than its size', ['LST-SIZE'], 'pager', (inner) => ({
    range: (plan, total) => inner.range({ ...plan, size: plan.size + 1 }, total),
  })),
];
