import { createHash, randomBytes } from 'node:crypto';
import { personaFacts } from '../../../lib/contract/personas.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { QueryPair } from '../../../lib/wire/query.ts';
import { Problem } from '../../answers/problem.ts';
import { changing } from '../../deviation.ts';
import { type Call, headerOf } from '../../http/wire.ts';
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
