import type { Family } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import type { ListPlan } from '../../query/plan.ts';
import { telling } from '../../seams.ts';
import { cross, has } from '../generated/line.ts';
import { filters, type Mistake, QUOTES, relisted, sorts } from './effects.ts';

/** How long each write is on its way, so that a list can come in between. */
const MOMENT_MS = 4;

const DURING: Mistake = {
  id: 'queries-while-written',
  title: 'a list that is asked for during a write does this',
  sentence: `${QUOTES.codes} … The list response is an object SearchResult with the list resources`,
  places: (table) => [
    ...cross(table, has('create'), {
      kind: ['plain', 'filtered'],
      effect: ['empty', 'first-lost', 'last-lost', 'first-twice', 'fails'],
    }),
    ...cross(table, (row) => has('create')(row) && sorts(row), {
      kind: ['sorted'],
      effect: ['empty', 'last-lost', 'fails'],
    }),
  ],
  violates: ({ family, kind }) => [
    `OP-${family}-L`,
    'SVC-1',
    'LST-PAGE',
    ...(kind === 'filtered' ? ['LST-FILT', 'FOP-*'] : []),
    ...(kind === 'sorted' ? ['LST-SORT'] : []),
  ],
  install: ({ family, kind, effect }, kit, watch) => ({
    front: ({ handle }) => ({
      handle: async (call) => {
        if (call.route?.family === family && /^(create|update|delete)$/.test(call.route.op)) await kit.wait(MOMENT_MS);
        return handle(call);
      },
    }),
    query: relisted(
      (name, { criteria, sort }) => {
        const is = criteria.length > 0 ? 'filtered' : sort === undefined ? 'plain' : 'sorted';
        return name === family && is === kind && watch.meets(watch.open(family) > 0);
      },
      (records) => {
        watch.exposure.changed += 1;
        if (effect === 'fails') throw new Problem(500, 'internal', 'The list cannot be read');
        if (effect === 'empty') return [];
        if (effect === 'first-twice') return [...records.slice(0, 1), ...records];
        return effect === 'first-lost' ? records.slice(1) : records.slice(0, -1);
      },
    ),
  }),
};

const BETWEEN: Mistake = {
  id: 'queries-between-pages',
  title: 'a later page, with a write since the first one, does this',
  sentence: `page number … ${QUOTES.next}`,
  places: (table) =>
    (['create', 'update'] as const).flatMap((write) =>
      cross(table, has('create', write), { write: [write], effect: ['first-again', 'empty', 'no-next', 'fails'] }),
    ),
  violates: ({ family }) => ['LST-PAGE', 'LST-NEXT', `OP-${family}-L`],
  install: ({ family, write, effect }, _kit, watch) => {
    let since: string[] = [];
    return {
      store: telling((kind, name) => {
        if (name === family) since.push(kind);
      }),
      pager: (inner) => ({
        range: (plan, total) => {
          const range = inner.range(plan, total);
          if (plan.family !== family) return range;
          if (!range.hasPrevious) since = [];
          if (!range.hasPrevious || !watch.meets(since.includes(String(write)))) return range;
          watch.exposure.changed += 1;
          if (effect === 'fails') throw new Problem(500, 'internal', 'The list has changed');
          if (effect === 'empty') return { ...range, to: range.from };
          if (effect === 'no-next') return { ...range, hasNext: false };
          return { ...range, from: 0, to: Math.min(plan.size, total) };
        },
      }),
    };
  },
};

export const WRITING: readonly Mistake[] = [DURING, BETWEEN];

const both = (row: Family) => sorts(row) && filters(row);
const isMany = ({ criteria }: ListPlan) => criteria.length > 1;
const isOr = (plan: ListPlan) => isMany(plan) && plan.join === 'or';
const isWritten = (plan: ListPlan) =>
  isMany(plan) && plan.pairs.some(([name, value]) => /^filtertype$/i.test(name) && /^and$/i.test(value));
const isLate = ({ page }: ListPlan) => page > 1;
const isSorted = ({ sort }: ListPlan) => sort !== undefined;
const isTwice = (key: 'field' | 'operator') => (plan: ListPlan) =>
  new Set(plan.criteria.map((each) => each.field + (key === 'operator' ? each.operator : ''))).size <
  plan.criteria.length;
const [onOneField, byOneOperator] = [isTwice('field'), isTwice('operator')];
const all =
  (...parts: readonly ((plan: ListPlan) => boolean)[]) =>
  (plan: ListPlan) =>
    parts.every((part) => part(plan));

const MEETINGS: Readonly<Record<string, (plan: ListPlan) => boolean>> = {
  'or+sort': all(isOr, isSorted),
  'or+late': all(isOr, isLate),
  'or+one-field': all(isOr, onOneField),
  'and-written': isWritten,
  'and-written+sort': all(isWritten, isSorted),
  'and-written+late': all(isWritten, isLate),
  'one-field': all(({ join }) => join === 'and', onOneField),
  'one-field-and-operator': all(({ join }) => join === 'and', byOneOperator),
  'one-field+sort': all(onOneField, isSorted),
  'filter+sort+late': all(({ criteria }) => criteria.length > 0, isSorted, isLate),
};

interface Turn {
  readonly violates: readonly string[];
  /** Meetings in which it means anything. */
  readonly at: RegExp;
  readonly turn: (plan: ListPlan) => ListPlan;
}

const JOIN = { violates: ['LST-FTYPE', 'LST-FILT'], at: /^(or|and|one)/ };
const ORDER = { violates: ['LST-SORT'], at: /sort/ };

const TURNS: Readonly<Record<string, Turn>> = {
  'joined-otherwise': { ...JOIN, turn: (plan) => ({ ...plan, join: plan.join === 'or' ? 'and' : 'or' }) },
  'first-only': { ...JOIN, turn: (plan) => ({ ...plan, criteria: plan.criteria.slice(0, 1) }) },
  'last-only': { ...JOIN, turn: (plan) => ({ ...plan, criteria: plan.criteria.slice(-1) }) },
  unfiltered: { ...JOIN, at: /^/, turn: (plan) => ({ ...plan, criteria: [] }) },
  unsorted: { ...ORDER, turn: ({ sort: _sort, ...plan }) => plan },
  turned: {
    ...ORDER,
    turn: ({ sort, ...plan }) =>
      sort === undefined ? plan : { ...plan, sort: { ...sort, descending: !sort.descending } },
  },
  'first-page': { violates: ['LST-PAGE', 'LST-NEXT'], at: /late/, turn: (plan) => ({ ...plan, page: 1 }) },
};

const MET: Mistake = {
  id: 'queries-met',
  title: 'a list with these features becomes this',
  sentence: `${QUOTES.filter} … logical operator common to all filter criteria; default AND; the value or changes it to OR … field to sort ascending`,
  places: (table) =>
    Object.keys(MEETINGS).flatMap((meeting) =>
      cross(table, /sort/.test(meeting) ? both : filters, {
        meeting: [meeting],
        turn: Object.keys(TURNS).filter((turn) => TURNS[turn]?.at.test(meeting)),
      }),
    ),
  violates: ({ turn }) => TURNS[String(turn)]?.violates ?? [],
  install: ({ family, meeting, turn }, _kit, watch) => ({
    query: (inner) => ({
      plan: (name, pairs) => {
        const plan = inner.plan(name, pairs);
        if (name !== family || !watch.meets(MEETINGS[String(meeting)]?.(plan) === true)) return plan;
        return watch.changes(TURNS[String(turn)]?.turn(plan) ?? plan);
      },
    }),
  }),
};

const TIES: Mistake = {
  id: 'queries-ties',
  title: 'on later pages of a sorted list, records of equal rank do this',
  sentence: `page number … field to sort ascending … ${QUOTES.next}`,
  // Ranks are equal where a list can be sorted by more than the name.
  places: (table) =>
    cross(table, (row) => row.sorts.length > 1 && row.ops.includes('update'), {
      direction: ['sortasc', 'sortdsc'],
      effect: ['skipped', 'reversed', 'again'],
    }),
  violates: () => ['LST-PAGE', 'LST-NEXT'],
  install: ({ family, direction, effect }, _kit, watch) => ({
    pager: (inner) => ({
      items: (list, range, plan) => {
        const right = inner.items(list, range, plan);
        const { sort } = plan;
        if (plan.family !== family || sort?.descending !== (direction === 'sortdsc')) return right;
        const records = list.slice(0, list.length);
        const last = records[range.from - 1];
        const isTied = (record: (typeof records)[number] | undefined) => record?.[sort.member] === last?.[sort.member];
        if (!watch.meets(last !== undefined && isTied(right[0])) || last === undefined) return right;
        if (effect === 'skipped') return watch.changes(right.filter((record) => !isTied(record)));
        if (effect === 'again') return watch.changes([last, ...right].slice(0, plan.size));
        const tied = records.filter(isTied).reverse();
        const turned = records.map((record) => (isTied(record) ? (tied.shift() ?? record) : record));
        return watch.changes(turned.slice(range.from, range.to));
      },
    }),
  }),
};

const DEFAULT_SIZE: Mistake = {
  id: 'queries-default-size',
  title: 'the link of a list that names no size does this',
  sentence: QUOTES.next,
  places: (table) =>
    [
      ...cross(table, () => true, {
        beside: ['nothing', 'filter'],
        effect: ['other-size', 'missing', 'skips', 'pageless'],
      }),
      ...cross(table, sorts, { beside: ['sort'], effect: ['other-size', 'missing', 'skips', 'pageless'] }),
    ].filter(({ family }) => table[family]?.ops.includes('create') || table[family]?.viewOf),
  violates: () => ['LST-NEXT', 'LST-PAGE'],
  install: ({ family, beside, effect }, _kit, watch) => {
    const isMine = (plan: ListPlan) =>
      plan.family === family &&
      watch.meets(
        watch.now()?.features.has('size') === false &&
          (beside === 'nothing' || watch.now()?.features.has(beside as 'sort') === true),
      );
    return {
      pager: (inner) => ({
        range: (plan, total) => {
          const range = inner.range(plan, total);
          return effect === 'missing' && range.hasNext && isMine(plan)
            ? watch.changes({ ...range, hasNext: false })
            : range;
        },
        linkPairs: (plan, page) => {
          const pairs = inner.linkPairs(plan, page);
          if (effect === 'missing' || page < plan.page || !isMine(plan)) return pairs;
          if (effect === 'pageless') return watch.changes(pairs.filter(([name]) => name !== 'page'));
          const [changed, value] = effect === 'skips' ? ['page', page + 1] : ['size', plan.size + 5];
          return watch.changes(pairs.map((pair) => (pair[0] === changed ? [changed, String(value)] : pair)));
        },
      }),
    };
  },
};

export const QUERIES: readonly Mistake[] = [MET, TIES, DEFAULT_SIZE];
