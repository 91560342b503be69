import { PATH_PREFIX } from '../../contract/operations.ts';
import { headerIn, type Transport, type WireAnswer, type WireRequest } from './transport.ts';

const SEE_OTHER = 303;

/** The GET that an answer to a write leads to, within the service; undefined if it leads elsewhere, or nowhere. */
function leadTo(baseUrl: string, { method, path, headers, body: _, ...kept }: WireRequest, answer: WireAnswer) {
  const location = headerIn(answer, 'location');
  if (answer.status !== SEE_OTHER || method === 'GET' || location === undefined) return undefined;
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const from = base.origin + prefix + path;
  if (!URL.canParse(location, from)) return undefined;
  const { origin, pathname, search } = new URL(location, from);
  if (origin !== base.origin || !pathname.startsWith(`${prefix}${PATH_PREFIX}/`)) return undefined;
  const { 'Content-Type': _type, ...others } = headers;
  return { ...kept, method: 'GET', path: pathname.slice(prefix.length) + search, headers: others };
}

/** What a write that was carried out led to, with its Location: a 303 says that the answer is there (RFC 9110, 15.4.4). The answer itself if nothing is. */
export async function seen(
  get: Transport['once'],
  baseUrl: string,
  request: WireRequest,
  answer: WireAnswer,
): Promise<WireAnswer> {
  const next = leadTo(baseUrl, request, answer);
  const there = next && (await get(next).catch(() => undefined));
  if (there === undefined || there.status < 200 || there.status >= 300) return answer;
  const headers = [...there.headers, ...answer.headers.filter(([name]) => name === 'location')];
  return { ...there, headers, durationMs: answer.durationMs + there.durationMs };
}
