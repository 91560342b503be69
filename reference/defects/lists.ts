import type { Operator } from '../../lib/contract/list.ts';
import { compareToFilter, compareValues, HOLDS, textOf } from '../query/compare.ts';
import { type Query, type Wraps, wrap } from '../seams.ts';
import type { Defect } from './defect.ts';

/** Whether a value meets a filter; undefined where that is as it was. */
type Holds = (value: unknown, filter: string) => boolean | undefined;

/** Other meanings for operators; a record without the field is judged as before. */
function meaning(operators: Readonly<Partial<Record<Operator, Holds>>>): () => Wraps {
  return () => ({
    query: (inner: Query) => ({
      holds: (record, criterion) => {
        const value = record[criterion.member];
        const other = value === undefined ? undefined : operators[criterion.operator]?.(value, criterion.value);
        return other ?? inner.holds(record, criterion);
      },
    }),
  });
}

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

/** Defects of filters. */
const FILTER_DEFECTS: readonly Defect[] = [
  {
    id: 'M27',
    title: 'EQ keeps values that contain the filter value',
    violates: ['FOP-EQ'],
    install: meaning({ EQ: HOLDS.CONTAINS }),
  },
  { id: 'M28', title: 'NEQ keeps everything', violates: ['FOP-NEQ'], install: meaning({ NEQ: () => true }) },
  {
    id: 'M29',
    title: 'GT and LT keep the equal value',
    violates: ['FOP-GT', 'FOP-LT'],
    install: meaning({
      GT: (value, filter) => compareToFilter(value, filter) >= 0,
      LT: (value, filter) => compareToFilter(value, filter) <= 0,
    }),
  },
  {
    id: 'M30',
    title: 'integers are compared as texts by GT and LT',
    violates: ['RES-TYPE', 'FOP-GT', 'FOP-LT'],
    install: meaning({
      GT: (value, filter) => compareValues(textOf(value), filter) > 0,
      LT: (value, filter) => compareValues(textOf(value), filter) < 0,
    }),
  },
  {
    id: 'M31',
    title: 'STARTSW and ENDSW keep values that contain the filter value',
    violates: ['FOP-STARTSW', 'FOP-ENDSW'],
    install: meaning({ STARTSW: HOLDS.CONTAINS, ENDSW: HOLDS.CONTAINS }),
  },
  {
    id: 'M32',
    title: 'NSTARTSW and NENDSW lose their negation',
    violates: ['FOP-NSTARTSW', 'FOP-NENDSW'],
    install: meaning({ NSTARTSW: HOLDS.STARTSW, NENDSW: HOLDS.ENDSW }),
  },
  {
    id: 'M33',
    title: 'NCONTAINS keeps every value but the equal one',
    violates: ['FOP-NCONTAINS'],
    install: meaning({ NCONTAINS: HOLDS.NEQ }),
  },
  {
    id: 'M34',
    title: 'only the first of repeated filters is applied',
    violates: ['LST-FILT'],
    install: wrap('query', (inner) => ({
      accepts: (record, plan) => inner.accepts(record, { ...plan, criteria: plan.criteria.slice(0, 1) }),
    })),
  },
  {
    id: 'M35',
    title: 'repeated filters are joined by OR unless told otherwise',
    violates: ['LST-FTYPE'],
    install: wrap('query', (inner) => ({
      accepts: (record, plan) => {
        const told = plan.pairs.some(([name]) => name.toLowerCase() === 'filtertype');
        return inner.accepts(record, told ? plan : { ...plan, join: 'or' });
      },
    })),
  },
  {
    id: 'M36',
    title: 'filterType is ignored',
    violates: ['LST-FTYPE'],
    install: wrap('query', (inner) => ({ accepts: (record, plan) => inner.accepts(record, { ...plan, join: 'and' }) })),
  },
  {
    id: 'M37',
    title: 'the value of a filter ends at its first dot',
    violates: ['LST-FILT'],
    install: wrap('query', (inner) => ({
      split: (triplet) => {
        const parts = inner.split(triplet);
        return parts === undefined ? undefined : [parts[0], parts[1], parts[2].split('.')[0] ?? ''];
      },
    })),
  },
  {
    id: 'M38',
    title: '%, *, _ and . in the value of a filter stand for other characters',
    violates: ['FOP-CONTAINS', 'FOP-*'],
    install: meaning({
      EQ: asPattern('^', '$', true),
      NEQ: asPattern('^', '$', false),
      STARTSW: asPattern('^', '', true),
      NSTARTSW: asPattern('^', '', false),
      ENDSW: asPattern('', '$', true),
      NENDSW: asPattern('', '$', false),
      CONTAINS: asPattern('', '', true),
      NCONTAINS: asPattern('', '', false),
    }),
  },
];

/** Defects of sorting. */
const SORT_DEFECTS: readonly Defect[] = [
  {
    id: 'M39',
    title: 'sortdsc sorts in ascending order',
    violates: ['LST-SORT'],
    install: wrap('query', (inner) => ({
      order: (plan) =>
        inner.order(plan.sort === undefined ? plan : { ...plan, sort: { ...plan.sort, descending: false } }),
    })),
  },
  {
    id: 'M40',
    title: 'integers are sorted as texts',
    violates: ['LST-SORT', 'RES-TYPE'],
    install: wrap('query', (inner) => ({
      order: (plan) => {
        const order = inner.order(plan);
        const member = plan.sort?.member ?? '';
        const texts = (record: Parameters<NonNullable<typeof order>>[0]) =>
          typeof record[member] === 'number' ? { ...record, [member]: String(record[member]) } : record;
        return order === undefined ? undefined : (a, b) => order(texts(a), texts(b));
      },
    })),
  },
  {
    id: 'M41',
    title: 'a sorted list lacks the records without the field',
    violates: ['LST-SORT'],
    install: wrap('query', (inner) => ({
      accepts: (record, plan) =>
        (plan.sort === undefined || record[plan.sort.member] !== undefined) && inner.accepts(record, plan),
    })),
  },
  {
    id: 'M42',
    title: 'each page is sorted by itself',
    violates: ['LST-SORT', 'LST-NEXT'],
    install: () => {
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
    },
  },
];

/** Defects of filters and sorting. */
export const LIST_DEFECTS: readonly Defect[] = [...FILTER_DEFECTS, ...SORT_DEFECTS];
