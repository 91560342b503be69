import { curlParts, shellQuoted } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';

/** Headers that curl sets by itself, and those whose values were redacted. */
export const REPLACED_BY_CLIENT: ReadonlySet<string> = new Set([
  'authorization',
  'host',
  'connection',
  'content-length',
  'cookie',
  'user-agent',
  'accept-encoding',
]);

/** Where a command is pasted: the target as a word of a shell, and options of curl. */
export interface CurlPlace {
  readonly base: string;
  readonly flags?: readonly string[];
}

export function curlOf(
  { method, path, requestHeaders, requestBody }: ExchangeRecord,
  { base, flags = [] }: CurlPlace = { base: '"$ERS_BASE"' },
): string {
  const headers = requestHeaders.filter(([name]) => !REPLACED_BY_CLIENT.has(name.toLowerCase()));
  // Without its slash a path could make the base URL the login of another host.
  const url = `${base}${shellQuoted(path.startsWith('/') ? path : `/${path}`)}`;
  const request = { flags: ['-sS', '-i', ...flags], method, headers, url, ...defined({ body: requestBody }) };
  return curlParts(request).join(' \\\n  ');
}
