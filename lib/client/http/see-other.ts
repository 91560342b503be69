import { PATH_PREFIX } from '../../contract/operations.ts';
import { isAmbiguousSegment } from '../safety/record-identity.ts';
import { headerIn, type Transport, type WireAnswer, type WireRequest } from './transport.ts';

const SEE_OTHER = 303;

/** Path and query below the base URL of an address that the target gave, on whatever host; undefined out of the service, or if servers may read it in two ways. */
export function leadOf(baseUrl: string, from: string, href: string): string | undefined {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const request = base.origin + prefix + from;
  if (!URL.canParse(href, request)) return undefined;
  const { pathname, search } = new URL(href, request);
  const path = pathname.slice(pathname.startsWith(`${prefix}${PATH_PREFIX}/`) ? prefix.length : 0);
  const isClear = !path.replace(/\/$/, '').split('/').slice(1).some(isAmbiguousSegment);
  return path.startsWith(`${PATH_PREFIX}/`) && isClear ? path + search : undefined;
}

/** The GET that an answer to a write leads to, within the service; undefined if it leads elsewhere, or nowhere. */
function leadTo(baseUrl: string, { method, path, headers, body: _, ...kept }: WireRequest, answer: WireAnswer) {
  const location = headerIn(answer, 'location');
  if (answer.status !== SEE_OTHER || method === 'GET' || location === undefined) return undefined;
  const lead = leadOf(baseUrl, path, location);
  if (lead === undefined) return undefined;
  const { 'Content-Type': _type, ...others } = headers;
  return { ...kept, method: 'GET', path: lead, headers: others };
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
