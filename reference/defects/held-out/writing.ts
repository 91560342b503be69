import { Problem } from '../../answers/problem.ts';
import { telling } from '../../seams.ts';
import { cross, has } from '../generated/line.ts';
import { relisted } from './effects.ts';
import { type Mistake, QUOTES, sorts } from './mistake.ts';

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
