import { gzipSync } from 'node:zlib';
import { type Delivery, withHeader } from '../exchange.ts';
import { answering, isAnything, isGet, type Mutation, pick, reply } from './mutation.ts';

/** 20 MB of blanks in some 20 kB. */
const BOMB = gzipSync(Buffer.alloc(20_000_000, ' '));

/** Waits that an answer may ask for: none, too long, of no sense, and as long as a client may grant. */
const WAITS = ['0', '999999', '-1', 'soon', 'Fri, 31 Dec 2100 23:59:59 GMT', 'Fri, 31 Dec 1999 23:59:59 GMT', '30'];

const delivered = (id: string, on: Mutation['on'], delivery: (random: () => number) => Delivery): Mutation => ({
  id,
  on,
  answer: (given, _asked, { random }) => ({ ...given, delivery: delivery(random) }),
});

/** Answers that come late, in pieces, not at all, compressed, from elsewhere or not from the deployment. */
export const TRANSPORT: readonly Mutation[] = [
  delivered('transport/slow', isAnything, (random) => ({ delayMs: pick(random, [50, 300, 900]) })),
  delivered('transport/too-slow', isAnything, () => ({ delayMs: 1500 })),
  delivered('transport/silent', isAnything, () => ({ silent: true })),
  delivered('transport/drip', isAnything, (random) => ({ dripBytes: pick(random, [1, 20]) })),
  delivered('transport/cut-body', isAnything, (random) => ({ cutAfter: Math.floor(random() * 100) })),
  delivered('transport/endless', isAnything, (random) => ({
    endless: pick(random, ['chunks', 'headers', 'drip'] as const),
  })),
  delivered('transport/reset', isAnything, () => ({ cutAfter: 0 })),
  answering(
    'transport/redirect',
    isAnything,
    (_given, { url, family }, { random, elsewhere, ownOrigin, foreignIds }) => {
      const foreign = foreignIds(family);
      const to = pick(random, [
        `${elsewhere}${url}`,
        `${ownOrigin}${url}`,
        ...(foreign.length > 0 ? [`${ownOrigin}/ers/config/${family}/${pick(random, foreign)}`] : []),
      ]);
      return reply(pick(random, [301, 302, 303, 307, 308]), undefined, { location: to });
    },
  ),
  answering('transport/status', isAnything, (given, _asked, { random }) => ({
    ...given,
    status: pick(random, [200, 202, 206, 299, 400, 401, 403, 404, 409, 410, 418, 500, 502, 599]),
  })),
  {
    id: 'transport/try-later',
    on: isAnything,
    instead: (_asked, { random }) => reply(pick(random, [429, 503]), {}, { 'retry-after': pick(random, WAITS) }),
  },
  {
    id: 'transport/login-refused',
    on: isAnything,
    instead: () => reply(401, {}, { 'www-authenticate': 'Basic realm="x"' }),
  },
  answering('transport/gzip-bomb', isGet, (given) => ({
    ...withHeader(given, 'content-encoding', 'gzip'),
    body: BOMB,
  })),
  answering('transport/encoding-lie', isGet, (given, _asked, { random }) =>
    withHeader(given, 'content-encoding', pick(random, ['gzip', 'br', 'deflate', 'x'])),
  ),
  answering('transport/many-headers', isGet, (given, _asked, { random }) => ({
    ...given,
    headers: {
      ...given.headers,
      ...Object.fromEntries(
        Array.from({ length: pick(random, [50, 700]) }, (_, at) => [`x-flood-${at}`, 'x'.repeat(100)]),
      ),
    },
  })),
  answering('transport/cookies', isGet, (given) =>
    withHeader(
      given,
      'set-cookie',
      Array.from({ length: 40 }, (_, at) => `JSESSIONID=${at}; Path=/; Domain=evil.example`),
    ),
  ),
];
