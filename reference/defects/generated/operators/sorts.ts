import { type Family, isNumber } from '../../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../../lib/contract/vendor.ts';
import type { ListPlan } from '../../../query/plan.ts';
import type { Query } from '../../../seams.ts';
import type { StoredRecord } from '../../../store/store.ts';
import { cross, grows, operators } from '../line.ts';
import { isHeld, typeOf } from '../members.ts';
import { onceFor } from '../watch.ts';

type Compare = (a: StoredRecord, b: StoredRecord) => number;

interface Sort {
  readonly title: string;
  readonly fits: (number: boolean) => boolean;
  readonly order: (
    order: Compare,
    plan: ListPlan & { readonly sort: NonNullable<ListPlan['sort']> },
    inner: Query,
  ) => Compare | undefined;
}

const keyed = (title: string, ofNumbers: boolean, change: (value: unknown) => unknown): Sort => ({
  title,
  fits: (number) => number === ofNumbers,
  order: (order, { sort }) => {
    const other = (record: StoredRecord) =>
      record[sort.member] === undefined ? record : { ...record, [sort.member]: change(record[sort.member]) };
    return (a, b) => order(other(a), other(b));
  },
});

const SORTS: Readonly<Record<string, Sort>> = {
  reversed: { title: 'is in the other direction', fits: () => true, order: (order) => (a, b) => order(b, a) },
  unsorted: { title: 'is not sorted', fits: () => true, order: () => undefined },
  'as-text': keyed('sorts numbers as texts', true, String),
  overflow: keyed('sorts numbers modulo 2^15', true, (value) => Number(value) % 2 ** 15),
  'first-letters': keyed('looks at the first 12 characters', false, (value) => String(value).slice(0, 12)),
  'by-length': keyed('sorts texts by their length', false, (value) => String(value).length),
  'later-pages': {
    title: 'is not sorted beyond the first page',
    fits: () => true,
    order: (order, plan) => (plan.page > 1 ? undefined : order),
  },
  'other-field': {
    title: 'is sorted by another member',
    fits: () => true,
    order: (_order, plan, inner) =>
      inner.order({
        ...plan,
        sort: { ...plan.sort, member: plan.sort.member === 'description' ? 'name' : 'description' },
      }),
  },
};

const isShown = (family: string, row: Family, member: string): boolean =>
  row.ops.includes('read') || vendorFacts(family).listMembers.includes(member);

export const SORTED = operators('sort', 'list', SORTS, (sort, id) => ({
  title: ({ family, field, direction }) => `${family}: a list by ${field} ${direction} ${sort.title}`,
  places: (table) =>
    Object.entries(table).flatMap(([family, row]) =>
      row.sorts
        .filter(isHeld(row))
        .filter((field) => sort.fits(isNumber(typeOf(row, memberOf(family, field)))))
        // Of a value that nothing shows, nobody can tell the order.
        .filter((field) => isShown(family, row, memberOf(family, field)))
        // An endpoint has no description.
        .filter(() => id !== 'other-field' || !row.ops.includes('apply'))
        // Records that nobody can add begin differently, and fit on one page.
        .filter(() => !['first-letters', 'later-pages'].includes(id) || grows(table, family))
        .flatMap((field) => ['sortasc', 'sortdsc'].map((direction) => ({ family, field, direction, feature: 'sort' }))),
    ),
  violates: () => ['LST-SORT', 'LST-NEXT'],
  install: (place, _kit, watch, hit) => {
    const isOn = onceFor(place, watch, hit);
    return {
      query: (inner) => ({
        order: (plan) => {
          const order = inner.order(plan);
          const { sort: asked } = plan;
          const isMine = plan.family === place.family && asked?.field === place['field'];
          if (order === undefined || asked === undefined || !isMine) return order;
          if (asked.descending !== (place['direction'] === 'sortdsc') || !isOn()) return order;
          return watch.instead(order, sort.order(order, { ...plan, sort: asked }, inner));
        },
      }),
    };
  },
}));

interface Join {
  readonly title: string;
  /** Needs two different filter fields. */
  readonly twoFields?: true;
  readonly plan: (plan: ListPlan) => ListPlan;
}

const keep =
  (count: (total: number) => readonly [number, number]) =>
  (plan: ListPlan): ListPlan => ({
    ...plan,
    criteria: plan.criteria.slice(...count(plan.criteria.length)),
  });
const differ = ({ criteria }: ListPlan) => new Set(criteria.map(({ field }) => field)).size > 1;

const JOINS: Readonly<Record<string, Join>> = {
  'as-or': { title: 'joined by AND are joined by OR', plan: (plan) => ({ ...plan, join: 'or' }) },
  'as-and': { title: 'joined by OR are joined by AND', plan: (plan) => ({ ...plan, join: 'and' }) },
  'first-only': { title: 'count by the first alone', plan: keep(() => [0, 1]) },
  'last-only': { title: 'count by the last alone', plan: keep((total) => [total - 1, total]) },
  'two-only': { title: 'count by the first two alone', plan: keep(() => [0, 2]) },
  'fields-by-and': {
    title: 'on different fields are joined by AND under OR',
    twoFields: true,
    plan: (plan) => (differ(plan) ? { ...plan, join: 'and' } : plan),
  },
  'fields-by-or': {
    title: 'on different fields are joined by OR under AND',
    twoFields: true,
    plan: (plan) => (differ(plan) ? { ...plan, join: 'or' } : plan),
  },
  'field-once': {
    title: 'on one field replace each other',
    plan: (plan) => ({
      ...plan,
      criteria: plan.criteria.filter(
        ({ field }, index) => plan.criteria.findLastIndex((each) => each.field === field) === index,
      ),
    }),
  },
  'field-of-first': {
    title: 'are all read from the field of the first',
    twoFields: true,
    plan: (plan) => ({
      ...plan,
      criteria: plan.criteria.map((each) => ({
        ...each,
        field: plan.criteria[0]?.field ?? each.field,
        member: plan.criteria[0]?.member ?? each.member,
      })),
    }),
  },
};

export const JOINED = operators('join', 'list', JOINS, (join) => ({
  title: ({ family }) => `${family}: filters ${join.title}`,
  places: (table) =>
    cross(table, (row) => row.filters.filter(isHeld(row)).length > (join.twoFields ? 1 : 0), { feature: ['filter'] }),
  violates: () => ['LST-FTYPE', 'LST-FILT', 'FOP-*'],
  install: (place, _kit, watch, hit) => {
    const isOn = onceFor(place, watch, hit);
    return {
      query: (inner) => ({
        accepts: (record, plan) => {
          const right = inner.accepts(record, plan);
          if (plan.criteria.length < 2 || plan.family !== place.family || !isOn()) return right;
          return watch.instead(right, inner.accepts(record, join.plan(plan)));
        },
      }),
    };
  },
}));
