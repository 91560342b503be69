import { randomBytes, timingSafeEqual } from 'node:crypto';
import { OPS } from '../../lib/contract/operations.ts';
import { Problem } from '../answers/problem.ts';
import { type Call, headerOf } from '../http/wire.ts';
import type { Seams } from '../seams.ts';

const TOKEN_BYTES = 16;
/** A token that was not used for this long is gone. */
const CSRF_IDLE_MS = 60_000;

/** Tokens in memory; `nowMs` is a monotonic clock. */
export function createCsrfTokens(nowMs: () => number) {
  const lastUsed = new Map<string, number>();
  // The order of the map is that of use, because a used token is put at its end again.
  const dropIdle = (now: number) => {
    for (const [token, used] of lastUsed) {
      if (now - used <= CSRF_IDLE_MS) break;
      lastUsed.delete(token);
    }
  };
  return {
    issue: (): string => {
      const now = nowMs();
      dropIdle(now);
      const token = randomBytes(TOKEN_BYTES).toString('hex').toUpperCase();
      lastUsed.set(token, now);
      return token;
    },
    /** True for a token that is known and was used within the idle time; using it starts the time anew. */
    accepts: (token: string | undefined): boolean => {
      if (token === undefined) return false;
      const now = nowMs();
      dropIdle(now);
      if (!lastUsed.delete(token)) return false;
      lastUsed.set(token, now);
      return true;
    },
  };
}
export type CsrfTokens = ReturnType<typeof createCsrfTokens>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

const UNAUTHORIZED =
  '<!doctype html><html lang="en"><head><title>HTTP Status 401</title></head><body>Unauthorized</body></html>';

/** Refusal of a login: a page of HTML. */
export function unauthorized(): Problem {
  return new Problem(401, 'access', 'Unauthorized', {
    text: UNAUTHORIZED,
    headers: { 'WWW-Authenticate': 'Basic realm="ERS"', 'Content-Type': 'text/html;charset=utf-8' },
  });
}

/** Logs a request in, and where the dialect says so demands a token of writes, before anything else is looked at (C13, A-05). */
export function createGate({ username, password }: Credentials, tokens: CsrfTokens, seams: Seams): Seams['gate'] {
  const expected = Buffer.from(Buffer.from(`${username}:${password}`, 'utf8').toString('base64'));
  // Takes as long for a login that is nearly right as for one that is all wrong.
  const admits = (given: string | undefined) => {
    if (given === undefined || !/^basic +/i.test(given)) return false;
    const held = Buffer.from(given.replace(/^basic +/i, ''));
    return held.length === expected.length && timingSafeEqual(held, expected);
  };
  return {
    admit: ({ request, route }) => {
      if (!admits(headerOf(request, 'authorization'))) throw unauthorized();
      if (!seams.dialect.csrf || route === undefined) return;
      const spec = OPS[route.op];
      // The specification gives bulk and versioninfo no X-CSRF-TOKEN: there it is accepted and not demanded.
      if (!spec.mutates || spec.headers !== 'all') return;
      if (!tokens.accepts(headerOf(request, 'x-csrf-token')))
        throw new Problem(403, 'access', 'CSRF nonce validation failed', {
          text: 'CSRF nonce validation failed',
          headers: { 'Content-Type': 'text/plain;charset=utf-8' },
        });
    },
  };
}

export function asksForToken({ request }: Call): boolean {
  return request.method === 'GET' && headerOf(request, 'x-csrf-token')?.toLowerCase() === 'fetch';
}
