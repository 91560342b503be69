import { curlParts, shellQuoted } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';

/** Headers that curl sets by itself, and those whose values were redacted. */
const OWN = new Set([
  'authorization',
  'host',
  'connection',
  'content-length',
  'cookie',
  'user-agent',
  'accept-encoding',
]);

/** The exchange as a curl command of several lines; `$ERS_BASE` is the base URL. */
export function curlOf({ method, path, requestHeaders, requestBody }: ExchangeRecord): string {
  const headers = requestHeaders.filter(([name]) => !OWN.has(name.toLowerCase()));
  // Without its slash a path could make the base URL the login of another host.
  const url = `"$ERS_BASE"${shellQuoted(path.startsWith('/') ? path : `/${path}`)}`;
  return curlParts({ flags: ['-sS', '-i'], method, headers, url, ...defined({ body: requestBody }) }).join(' \\\n  ');
}
