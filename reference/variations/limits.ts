import { ancFamily } from '../../lib/wire/anc.ts';
import { Problem } from '../answers/problem.ts';
import { refuse, refusing } from '../answers/responder.ts';
import { choice, type Variation, variation } from '../deviation.ts';
import { readBody } from '../handlers/records.ts';
import type { Call } from '../http/wire.ts';
import { type Kit, telling, type Wraps } from '../seams.ts';
import { arrayList, changesOf, type StoredRecord } from '../store/store.ts';
import { delayedEndpoints, keptLists, twoNodes } from './behavior.ts';

/** Characters of an address that the server takes. */
const LONGEST_ADDRESS = 2000;
const LONGEST_TEXT = 128;

const refused = (text: string) => new Problem(400, 'crud', text);

function latestFirst(): Wraps {
  const changed = new Map<string, number>();
  let turn = 0;
  const stamp = ({ id }: StoredRecord) => changed.get(id) ?? 0;
  return {
    store: telling((_kind, _family, id) => void changed.set(id, ++turn)),
    query: (inner) => ({
      select: async (name, plan) => {
        const list = await inner.select(name, plan);
        if (plan.sort !== undefined || list.length > LONGEST_ADDRESS) return list;
        return arrayList([...list.slice(0, list.length)].sort((a, b) => stamp(b) - stamp(a)));
      },
    }),
  };
}

function reservedNames(): Wraps {
  const reserved = new Set<string>();
  const keyOf = (name: string, { name: held }: Readonly<Record<string, unknown>>) => `${name}/${String(held)}`;
  return {
    store: (inner) => ({
      remove: (name, id) => {
        const record = inner.get(name, id);
        if (record !== undefined) reserved.add(keyOf(name, record));
        return inner.remove(name, id);
      },
    }),
    rules: (inner) => ({
      distinct: (name, fields, ownId) => {
        inner.distinct(name, fields, ownId);
        if ('name' in fields && reserved.has(keyOf(name, fields))) throw refused('the name was used before');
      },
    }),
  };
}

/** Records that a family takes beside those that were there first. */
const MOST_MORE = 30;

const MOST_AT_ONCE = 4;
const TAKES_MS = 3;

/** Turns requests of a group away while the given number of them is under way; `groupOf` is undefined for what is in none. */
const turningAway =
  (most: number, busy: Problem, groupOf: (call: Call) => string | undefined) =>
  (kit: Kit): Wraps => {
    const underWay = new Map<string, number>();
    return {
      front: ({ handle }) => ({
        handle: async (call) => {
          const group = groupOf(call);
          if (group === undefined) return handle(call);
          const others = underWay.get(group) ?? 0;
          if (others >= most) return refuse(kit, call, busy);
          underWay.set(group, others + 1);
          try {
            await kit.wait(TAKES_MS);
            return await handle(call);
          } finally {
            underWay.set(group, (underWay.get(group) ?? 1) - 1);
          }
        },
      }),
    };
  };

const NODE = 'https://node-2.example.com:9060';

const makesMissing = ({ seams }: Kit): Wraps => ({
  front: ({ handle }) => ({
    handle: async (call) => {
      const { route, request } = call;
      const id = decodeURIComponent(request.path.split('/').at(-1) ?? '');
      if (route?.op !== 'update' || seams.store.get(route.family, id) !== undefined) return handle(call);
      const text = await request.body();
      const again = { ...call, request: { ...request, body: async () => text } };
      try {
        const fields = seams.rules.check(route.family, 'update', await readBody(seams, again, route.family));
        seams.rules.distinct(route.family, fields, id);
        await seams.store.create(route.family, { ...fields, id });
      } catch (fault) {
        if (!(fault instanceof Problem)) throw fault;
      }
      return handle(again);
    },
  }),
});

export const LIMIT_VARIATIONS: readonly Variation[] = [
  variation(
    'V26',
    'long addresses are refused',
    'no longest address',
    refusing(({ request }) =>
      request.path.length + request.query.length > LONGEST_ADDRESS
        ? new Problem(414, 'size', 'URI too long')
        : undefined,
    ),
  ),
  variation('V27', 'lists begin with what was written last', 'no order without sort', latestFirst),
  variation('V28', 'a name is given once in a view', 'no grammar of names', 'rules', (inner, { table, seams }) => ({
    distinct: (name, fields, ownId) => {
      inner.distinct(name, fields, ownId);
      const views = Object.values(table).flatMap(({ viewOf = [] }) => (viewOf.includes(name) ? [viewOf] : []));
      const beside = views.flat().filter((other) => other !== name);
      if (beside.some((other) => seams.store.find(other, 'name', fields['name']) !== undefined))
        throw refused(`the name '${String(fields['name'])}' is in use by another portal`);
    },
  })),
  variation('V30', 'links name another node', 'LST-NEXT: addresses the next page', 'responder', (inner) => ({
    answer: (outcome, call) => {
      const answer = inner.answer(outcome, call);
      if (typeof answer.body !== 'string') return answer;
      const named = (text: string) => text.replaceAll(call.request.origin, NODE);
      const entries = Object.entries(answer.headers).map(([name, value]) => [name, named(value)]);
      return { ...answer, headers: Object.fromEntries(entries), body: named(answer.body) };
    },
  })),
  choice('V31', 'bulk requests take a while', 'G-07', { bulkMs: 1200 }),
  variation('V32', 'names are not given twice', 'no grammar of names', reservedNames),
  variation('V33', 'long descriptions are refused', 'no longest text', 'rules', (inner) => ({
    check: (name, op, fields) => {
      const { description } = fields;
      if (typeof description === 'string' && description.length > LONGEST_TEXT)
        throw refused('the description is too long');
      return inner.check(name, op, fields);
    },
  })),
  variation('V34', 'a family takes thirty records more', 'Limits', 'store', (inner, { table }) => {
    const most = new Map<string, number>();
    return {
      create: (name, fields) => {
        const { length } = inner.list(name);
        if (!most.has(name)) most.set(name, length + MOST_MORE);
        if (name !== ancFamily(table) && length >= (most.get(name) ?? 0)) throw refused('no more records of this kind');
        return inner.create(name, fields);
      },
    };
  }),
  variation('V35', 'a member changes with each answer', 'G-07', 'present', (inner, { random }) => ({
    read: (...of) => ({ ...inner.read(...of), lastSeen: String(random()) }),
    entry: (...of) => ({ ...inner.entry(...of), lastSeen: String(random()) }),
  })),
  variation('V36', 'lists are kept for a moment', 'FRESH-1', keptLists),
  variation('V37', 'applies and clears are seen a moment later', 'FRESH-1', delayedEndpoints),
  variation(
    'V45',
    'a write is refused while another one in the family is under way',
    'Limits',
    turningAway(1, new Problem(423, 'busy', 'locked by another session'), ({ request, route }) =>
      request.method === 'GET' ? undefined : route?.family,
    ),
  ),
  variation(
    'V38',
    'too many requests at one time are turned away',
    'Limits',
    turningAway(MOST_AT_ONCE, new Problem(503, 'busy', 'too many requests'), () => ''),
  ),
  variation('V39', 'an update that changes nothing is refused', 'G-12', 'store', (inner, { table }) => ({
    update: (name, id, fields) => {
      const old = inner.get(name, id);
      if (name !== ancFamily(table) && old !== undefined && changesOf(old, fields).length === 0)
        throw refused('nothing is changed');
      return inner.update(name, id, fields);
    },
  })),
  variation('V40', 'an update of a record that is gone makes it again', 'G-12', makesMissing),
  variation('V41', 'two nodes answer, and one of them is late', 'FRESH-1', twoNodes),
  variation('V29', 'each answer closes its connection', 'HTTP', 'responder', (inner) => ({
    answer: (outcome, call) => {
      const answer = inner.answer(outcome, call);
      return { ...answer, headers: { ...answer.headers, Connection: 'close' } };
    },
  })),
];
