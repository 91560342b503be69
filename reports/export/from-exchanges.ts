import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { isObject } from '../../lib/wire/answer.ts';
import { REPLACED_BY_CLIENT } from '../model/curl.ts';
import type { Asserted } from './claims.ts';
import type { Told } from './from-grounds.ts';
import type { Claim, Expected, Step } from './script.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Id in the address of the record that a create was answered with. */
export function createdId({ method, status, responseHeaders }: ExchangeRecord): string | undefined {
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (method !== 'POST' || !isSuccess(status)) return undefined;
  return location === undefined ? undefined : /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
}

/** An exchange as a step that is answered as it was. */
export function exchangeStep(exchange: ExchangeRecord, expects?: Expected): Step {
  const { method, path, requestHeaders, requestBody, status } = exchange;
  const creates = createdId(exchange);
  return {
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: requestHeaders.filter(([name]) => !REPLACED_BY_CLIENT.has(name.toLowerCase())),
    expects: expects ?? (isSuccess(status) ? 'taken' : 'any'),
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...(creates === undefined ? {} : { creates }),
  };
}

/** Value that a JSON body gives to a member of the record under its root key. */
function sentMember(body: string | undefined, member: string): unknown {
  try {
    const [record] = Object.values(JSON.parse(body ?? '') as object);
    return isObject(record) ? record[member] : undefined;
  } catch {
    return undefined;
  }
}

/** Address of the endpoint that an ANC request is about. */
const ADDRESS = /"name"\s*:\s*"(?:macAddress|ipAddress)"\s*,\s*"value"\s*:\s*"([^"]+)"/;

/** What is claimed of the last answer, from what the failure is about; a text says why that cannot be written down. */
function asserted({ failure, observed }: ConformanceResult, exchanges: readonly ExchangeRecord[]): Asserted {
  const last = exchanges.at(-1);
  if (failure === undefined || last === undefined) return 'the run did not record what it is about';
  const { kind, operation, subject = '' } = failure;
  const taken = (...claims: readonly Claim[]): Asserted => ({ expects: 'taken', claims });
  if (kind === 'refused') return last.status >= 400 ? taken() : 'the request that was refused is not in its evidence';
  if (kind === 'accepted')
    return isSuccess(last.status)
      ? { expects: 'refused', claims: [] }
      : 'the request that was taken is not in its evidence';
  const [, what, name = ''] = /^(header|member) (\S+)$/.exec(subject) ?? [];
  if (kind === 'missing' && what === 'header') return taken({ kind: 'header', name });
  if (kind === 'missing' && what === 'member' && operation === 'read') return taken({ kind: 'member', member: name });
  const address = exchanges.map(({ requestBody }) => ADDRESS.exec(requestBody ?? '')?.[1]).findLast((each) => each);
  if (kind === 'no-effect' && address !== undefined && last.method === 'GET' && ['apply', 'clear'].includes(operation))
    return taken({ kind: 'holds', texts: [address], isThere: operation === 'apply' });
  const write = exchanges.findLast(({ method, status }) => method !== 'GET' && isSuccess(status));
  const value = write && sentMember(write.requestBody, name);
  const isOfWrite = write !== undefined && last.path.endsWith(createdId(write) ?? write.path);
  if (kind === 'value' && what === 'member' && value !== undefined && isOfWrite && last.method === 'GET')
    return taken({ kind: 'member', member: name, value });
  return `what it lacks cannot be seen in one answer: ${observed ?? subject}`;
}

/** A failure as requests, from its evidence as it was sent; a text says why there is no file. */
export function fromExchanges(
  result: ConformanceResult,
  shown: string | undefined,
  all: ReadonlyMap<string, ExchangeRecord>,
): Told | string {
  const found = result.evidence.map((id) => all.get(id));
  const exchanges = found.filter((each) => each !== undefined);
  if (exchanges.length === 0 || exchanges.length < found.length) return 'the run kept no requests that show it';
  const end = exchanges.findIndex(({ id }) => id === shown);
  const until = end < 0 ? exchanges : exchanges.slice(0, end + 1);
  const claims = asserted(result, until);
  if (typeof claims === 'string') return claims;
  // The same look again and again, until a write shows or time is up: once is enough.
  const once = until.filter(
    ({ method, path }, at) => method !== 'GET' || until[at + 1]?.method !== 'GET' || until[at + 1]?.path !== path,
  );
  const last = once.at(-1) as ExchangeRecord;
  // Of requests that were refused, the last one shows it; elsewhere the others would be taken, and stand in its way.
  const isNeeded = ({ status }: ExchangeRecord) => result.failure?.kind !== 'refused' || isSuccess(status);
  return {
    notes: [],
    setUp: once
      .slice(0, -1)
      .filter(isNeeded)
      .map((exchange) => exchangeStep(exchange)),
    request: exchangeStep(last, claims.expects),
    claims: claims.claims,
    expected: result.expected ?? '',
    observed: result.observed ?? '',
  };
}
