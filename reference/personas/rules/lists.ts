import { createHash, randomBytes } from 'node:crypto';
import { factoryRecords, personaFacts } from '../../../lib/contract/personas.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { QueryPair } from '../../../lib/wire/query.ts';
import { Problem } from '../../answers/problem.ts';
import { changing, type Deviation } from '../../deviation.ts';
import { type Call, headerOf } from '../../http/wire.ts';
import type { Fields } from '../../seams.ts';
import { allOf } from '../../store/store.ts';
import { choosing, inXml, onRequest } from '../fact.ts';

const FILTER_TYPE = 'filtertype';

const ILLEGAL =
  "Illegal Request Header: one or more of 'accept' / 'content-type' / 'ers-media-type' headers is not supported.";

const isNothing = (text: string | undefined) => text === undefined || text.trim() === '';

const SESSION_COOKIES = ['APPSESSIONID', 'JSESSIONIDSSO'] as const;

const newCookies = () =>
  SESSION_COOKIES.map((name) => `${name}=${randomBytes(16).toString('hex').toUpperCase()}; Path=/; HttpOnly`);

/** True if the client sends a session along: it gets no new one. */
const hasSession = ({ request }: Call) =>
  SESSION_COOKIES.some((name) => headerOf(request, 'cookie')?.includes(`${name}=`) === true);

export const LIST_RULES = {
  portalview: changing('store', (inner) => ({
    sources: (name) => {
      const { leavesOut = [] } = personaFacts(name);
      return inner.sources(name).filter((source) => !leavesOut.includes(source));
    },
  })),
  portal500: onRequest(({ route }, { table }) =>
    route?.op === 'list' && table[route.family]?.viewOf !== undefined
      ? new Problem(500, 'crud', 'Operation search PORTAL failed')
      : undefined,
  ),
  filtertype: changing('query', (inner) => ({
    plan: (name, pairs) => {
      const isIgnored = ([key]: QueryPair) => key !== FILTER_TYPE && key.toLowerCase() === FILTER_TYPE;
      const plan = inner.plan(
        name,
        pairs.filter((pair) => !isIgnored(pair)),
      );
      return { ...plan, pairs: pairs.filter(([key]) => key !== 'page' && key !== 'size') };
    },
  })),
  ancfilter: changing('query', (inner, { table }) => ({
    plan: (name, pairs) => {
      const family = table[name];
      const members = vendorFacts(name).fieldMembers ?? {};
      if (family === undefined || !hasOp(family, 'apply')) return inner.plan(name, pairs);
      const renamed = pairs.map(([key, value]): QueryPair => {
        if (key !== 'filter') return [key, value];
        for (const [field, member] of Object.entries(members)) {
          if (value.startsWith(`${field}.`))
            throw new Problem(400, 'query', `The filter field '${field}' is not supported`);
          if (value.startsWith(`${member}.`)) return [key, field + value.slice(member.length)];
        }
        return [key, value];
      });
      return { ...inner.plan(name, renamed), pairs: pairs.filter(([key]) => key !== 'page' && key !== 'size') };
    },
  })),
  paging: choosing({ maxSize: 100, overMaxSize: 'refuse', pastEnd: 'refuse' }),
  past404: changing('pager', (inner) => ({
    range: (plan, total) => {
      try {
        return inner.range(plan, total);
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'page') throw new Problem(404, 'page', fault.message);
        throw fault;
      }
    },
  })),
  accept: onRequest((call, kit) => {
    const wanted = headerOf(call.request, 'accept');
    if (isNothing(wanted) || wanted?.split(';')[0]?.trim() === '*/*')
      return inXml(kit, call, new Problem(415, 'media', ILLEGAL));
    const isWrite = call.request.method === 'POST' || call.request.method === 'PUT';
    return isWrite && isNothing(headerOf(call.request, 'content-type'))
      ? new Problem(415, 'media', ILLEGAL)
      : undefined;
  }),
  deletetype: onRequest(({ request }) => {
    if (request.method !== 'DELETE') return undefined;
    const type = headerOf(request, 'content-type') ?? '';
    return /^\s*application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(type) ? undefined : new Problem(415, 'media', ILLEGAL);
  }),
  wire: changing('responder', (inner) => ({
    answer: (outcome, call) => {
      const answer = inner.answer(outcome, call);
      const isRead = outcome.kind === 'read' && typeof answer.body === 'string';
      const tag = isRead ? createHash('md5').update(String(answer.body)).digest('hex').toUpperCase() : undefined;
      return {
        ...answer,
        bare: true,
        ...(answer.cookies !== undefined || hasSession(call) ? {} : { cookies: newCookies() }),
        headers: {
          'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
          'Cache-Control': 'no-cache, no-store, must-revalidate',
          Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
          ...(tag === undefined ? {} : { ETag: `"${tag}"` }),
          ...answer.headers,
        },
      };
    },
  })),
};

const without = (fields: Fields, members: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([member]) => !members.includes(member)));

const withoutEmpty = (fields: Fields): Fields =>
  fields['description'] === '' ? without(fields, ['description']) : fields;

const showing = (change: (name: string, fields: Fields) => Fields) =>
  changing('present', (inner) => ({
    read: (name, record) => change(name, inner.read(name, record)),
    entry: (name, record, position) => change(name, inner.entry(name, record, position)),
  }));

export const SHOWN_RULES = {
  generation: {
    install: () => {
      const counts = new Map<string, number>();
      const counterOf = (name: string) => personaFacts(name).counter;
      return {
        rules: (inner) => ({
          check: (name, op, fields) => {
            const counter = counterOf(name);
            return inner.check(name, op, counter === undefined ? fields : without(fields, [counter]));
          },
        }),
        store: (inner) => ({
          update: async (name, id, fields) => {
            const changes = await inner.update(name, id, fields);
            if (counterOf(name) !== undefined && changes.length > 0) counts.set(id, (counts.get(id) ?? 0) + 1);
            return changes;
          },
        }),
        present: (inner) => ({
          read: (name, record) => {
            const counter = counterOf(name);
            const shown = inner.read(name, record);
            return counter === undefined ? shown : { ...shown, [counter]: String(counts.get(record.id) ?? 0) };
          },
        }),
      };
    },
  },
  sgtfields: showing((name, fields) => {
    const { hidden } = personaFacts(name);
    return hidden === undefined ? fields : withoutEmpty(without(fields, hidden));
  }),
  /** Members that are never shown, values that a view shows in place of others, and a record that is out of range. */
  members: {
    seeds: (name, rows) => {
      const { outside } = personaFacts(name);
      if (outside === undefined) return rows;
      return [...rows.filter(({ id, name: title }) => id !== outside['id'] && title !== outside['name']), outside];
    },
    ...showing((name, fields) => {
      const { absent = [], shownAs } = personaFacts(name);
      const left = without(fields, absent);
      const value = shownAs?.values[String(left[shownAs.member])];
      return shownAs === undefined || value === undefined ? left : { ...left, [shownAs.member]: value };
    }),
  },
  lists: {
    install: () => ({
      present: (inner) => ({
        entry: (name, record, position) =>
          withoutEmpty(without(inner.entry(name, record, position), personaFacts(name).notListed ?? [])),
      }),
      query: (inner) => ({
        select: (name, plan) => {
          const field = personaFacts(name).listOrder;
          if (plan.sort !== undefined || field === undefined) return inner.select(name, plan);
          return inner.select(name, { ...plan, sort: { field, member: field, descending: false } });
        },
      }),
    }),
  },
  /** The records of a new deployment take the place of the embedded ones; a view shows some of its own. */
  seed: {
    seeds: (name, rows) => factoryRecords(name) ?? rows,
    ...changing('store', (inner, { table }) => ({
      sources: (name) => (table[name]?.viewOf === undefined ? inner.sources(name) : [...inner.sources(name), name]),
    })),
  },
  defaults: changing('store', (inner, { table, seams }) => {
    const kept = new Set<string>();
    for (const [name, family] of Object.entries(table)) {
      if (!hasOp(family, 'delete')) continue;
      for (const { id } of allOf(seams.store.list(name))) kept.add(`${name}/${id}`);
    }
    const refuse = (name: string, id: string, what: string) => {
      if (kept.has(`${name}/${id}`))
        throw new Problem(400, 'validation', `A default resource can not be ${what}: ${name} with id '${id}'`);
    };
    return {
      update: (name, id, fields) => {
        refuse(name, id, 'changed');
        return inner.update(name, id, fields);
      },
      remove: (name, id) => {
        refuse(name, id, 'deleted');
        return inner.remove(name, id);
      },
    };
  }),
} satisfies Readonly<Record<string, Deviation>>;
