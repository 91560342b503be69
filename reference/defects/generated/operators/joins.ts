import type { ListPlan } from '../../../query/plan.ts';
import { cross, type Operator } from '../line.ts';
import { isHeld } from '../members.ts';
import { changes, onceFor } from '../watch.ts';

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

/** Repeated filters that are joined wrongly. */
export const JOINED: readonly Operator[] = Object.entries(JOINS).map(
  ([id, join]): Operator => ({
    id: `join-${id}`,
    about: 'list',
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
            const wrong = inner.accepts(record, join.plan(plan));
            return wrong === right ? right : changes(watch, wrong);
          },
        }),
      };
    },
  }),
);
