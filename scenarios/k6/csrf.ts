import http from 'k6/http';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { buildRequest } from '../../lib/wire/request.ts';
import { TOKEN_NAME } from '../../lib/wire/scenario.ts';
import type { Parameters } from './parameters.ts';

/** The CSRF token of one connection: each has its own copy of this module. A list is the read that accepts the header. */
export function connectionToken(
  parameters: Parameters,
  table: FamilyTable,
  family: string,
  common: Readonly<Record<string, string>>,
) {
  let value: string | null = null;
  const request = buildRequest(table, family, 'list', { list: { size: 1 }, headers: { csrfToken: 'fetch' } });
  return {
    /** The token, fetched when there is none, and the microseconds that took. Null where none is asked for or given. */
    get() {
      if (parameters.csrf !== true || value !== null) return { value, waitUs: 0 };
      const response = http.request(request.method, parameters.baseUrl + request.path, null, {
        headers: { ...request.headers, ...common },
        timeout: parameters.timeoutMs,
        redirects: 0,
        tags: { name: TOKEN_NAME },
      });
      value = response.headers['X-Csrf-Token'] ?? null;
      return { value, waitUs: Math.round((response.timings.duration + response.timings.blocked) * 1000) };
    },
    /** Drops the token, so that the next iteration fetches another. */
    forget() {
      value = null;
    },
  };
}
