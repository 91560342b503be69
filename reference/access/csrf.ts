import { randomBytes } from 'node:crypto';

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
/** Tokens against forged requests. */
export type CsrfTokens = ReturnType<typeof createCsrfTokens>;
