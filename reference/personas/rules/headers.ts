import { createHash, randomBytes } from 'node:crypto';
import { Problem } from '../../answers/problem.ts';
import { type Call, headerOf } from '../../http/wire.ts';
import { changing, type Implementation, inXml, onRequest } from '../rule.ts';

const ILLEGAL =
  "Illegal Request Header: one or more of 'accept' / 'content-type' / 'ers-media-type' headers is not supported.";

const isNothing = (text: string | undefined) => text === undefined || text.trim() === '';

/** Accept must say which of the two forms; a body must say its own. */
const accept = onRequest((call, kit) => {
  const wanted = headerOf(call.request, 'accept');
  if (isNothing(wanted) || wanted?.split(';')[0]?.trim() === '*/*')
    return inXml(kit, call, new Problem(415, 'media', ILLEGAL));
  const isWrite = call.request.method === 'POST' || call.request.method === 'PUT';
  return isWrite && isNothing(headerOf(call.request, 'content-type')) ? new Problem(415, 'media', ILLEGAL) : undefined;
});

const deletetype = onRequest(({ request }) => {
  if (request.method !== 'DELETE') return undefined;
  const type = headerOf(request, 'content-type') ?? '';
  return /^\s*application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(type) ? undefined : new Problem(415, 'media', ILLEGAL);
});

/** The embedded deployment looks at this header already. */
const mediatype: Implementation = { install: () => ({}) };

const SESSION_COOKIES = ['APPSESSIONID', 'JSESSIONIDSSO'] as const;

const newCookies = () =>
  SESSION_COOKIES.map((name) => `${name}=${randomBytes(16).toString('hex').toUpperCase()}; Path=/; HttpOnly`);

/** True where the client sends a session along: it gets no new one. */
const hasSession = ({ request }: Call) =>
  SESSION_COOKIES.some((name) => headerOf(request, 'cookie')?.includes(`${name}=`) === true);

/** The headers of recorded answers. */
const wire = changing('responder', (inner) => ({
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
}));

const NODE = 'https://ise-1.example.com:9060';

const hrefs = changing('front', (inner) => ({
  handle: (call) => inner.handle({ ...call, request: { ...call.request, origin: NODE } }),
}));

export const HEADER_RULES = { accept, deletetype, mediatype, wire, hrefs };
