import type { ErsClient } from '../types.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A curl line that a person can run to repeat a request; the login is `$ERS_AUTH`, set to `user:password`. */
export function curlCommand(client: ErsClient, method: string, path: string, body?: string): string {
  const { target } = client.options;
  const parts = ['curl', '-u "$ERS_AUTH"', '-X', method, "-H 'Accept: application/json'"];
  if (target.insecure === true) parts.push('--insecure');
  if (target.caFile !== undefined) parts.push('--cacert', quoted(target.caFile));
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", '--data', quoted(body));
  return [...parts, quoted(target.baseUrl.replace(/\/+$/, '') + path)].join(' ');
}
