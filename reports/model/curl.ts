import type { ExchangeRecord } from '../../lib/records/conformance.ts';

/** Headers that the client sets by itself, and those whose values were redacted. */
const OWN = new Set([
  'authorization',
  'host',
  'connection',
  'content-length',
  'cookie',
  'user-agent',
  'accept-encoding',
]);

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The exchange as a curl command; `ERS_AUTH` is `user:password` and `ERS_BASE` the base URL, so that it holds no secret. */
export function curlOf(exchange: ExchangeRecord): string {
  const { method, path, requestHeaders, requestBody } = exchange;
  const headers = requestHeaders
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [
    `curl -sS -i -u "$ERS_AUTH" -X ${quoted(method)}`,
    ...headers,
    ...(requestBody === undefined ? [] : [`--data-raw ${quoted(requestBody)}`]),
    `"$ERS_BASE"${quoted(path)}`,
  ].join(' \\\n  ');
}
