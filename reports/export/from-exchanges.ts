import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { createdId, isBulk, isTaken, wordsOf } from '../../lib/records/rests-on.ts';
import { isObject } from '../../lib/wire/answer.ts';
import type { Asserted } from './claims.ts';
import { fromEndpoints } from './from-endpoints.ts';
import type { Told } from './from-grounds.ts';
import { exchangeStep, isSuccess, type Kept, reading, stepsBefore } from './kept.ts';
import type { Claim } from './script.ts';

function sentMember(body: string | undefined, member: string): unknown {
  try {
    const [record] = Object.values(JSON.parse(body ?? '') as object);
    return isObject(record) ? record[member] : undefined;
  } catch {
    return undefined;
  }
}

/** Path of the record that a delete, or a bulk delete, was to remove and did not; undefined for anything else. */
function leftBy(last: ExchangeRecord, { observed = '' }: ConformanceResult, { made }: Kept): string | undefined {
  if (!isTaken(last)) return undefined;
  if (last.method === 'DELETE') return last.path;
  const isDelete = /operationType"?\s*[:=]\s*"delete"/.test(last.requestBody ?? '');
  const id = wordsOf({ path: '', body: observed }).find((word) => made.has(word));
  return isBulk(last) && isDelete && id !== undefined ? last.path.replace(/bulk\/submit$/, id) : undefined;
}

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
  if (kind === 'no-effect' && operation === 'read' && last.method === 'GET' && last.status >= 400) return taken();
  if (kind === 'no-effect' && operation === 'delete' && last.method === 'GET' && isSuccess(last.status))
    return { expects: 'refused', claims: [] };
  const id = /^\/ers\/config\/[^/]+\/([^/?]+)$/.exec(last.path)?.[1];
  if (kind === 'no-effect' && operation === 'read' && last.method === 'GET' && id !== undefined)
    return taken({ kind: 'holds', texts: [`"${id}"`], isThere: true });
  const [, what, name = ''] = /^(header|member) (\S+)$/.exec(subject) ?? [];
  if (kind === 'missing' && what === 'header') return taken({ kind: 'header', name });
  if (kind === 'missing' && what === 'member' && operation === 'read') return taken({ kind: 'member', member: name });
  const write = exchanges.findLast(({ method, status }) => method !== 'GET' && isSuccess(status));
  const value = write && sentMember(write.requestBody, name);
  const isOfWrite = write !== undefined && last.path.endsWith(createdId(write) ?? write.path);
  if (kind === 'value' && what === 'member' && value !== undefined && isOfWrite && last.method === 'GET')
    return taken({ kind: 'member', member: name, value });
  return `what it lacks cannot be seen in one answer: ${observed ?? subject}`;
}

/** Place of the write that was taken against the rules, by the record that it made or a text that it sent; -1 if neither is told. */
function acceptedIn({ failure, observed = '' }: ConformanceResult, exchanges: readonly ExchangeRecord[]): number {
  if (failure?.kind !== 'accepted') return -1;
  const text = /"[^"]+"/.exec(observed)?.[0];
  return exchanges.findIndex((each) => {
    const id = createdId(each);
    const isTold = id !== undefined && observed.includes(id);
    return isTold || (isTaken(each) && text !== undefined && each.requestBody?.includes(text) === true);
  });
}

/** A failure as requests, from its evidence as it was sent; a text says why there is no file. */
export function fromExchanges(result: ConformanceResult, shown: string | undefined, kept: Kept): Told | string {
  const found = result.evidence.map((id) => kept.exchanges.get(id));
  const exchanges = found.filter((each) => each !== undefined);
  if (exchanges.length === 0 || exchanges.length < found.length) return 'the run kept no requests that show it';
  const accepted = acceptedIn(result, exchanges);
  const end = accepted >= 0 ? accepted : exchanges.findIndex(({ id }) => id === shown);
  const { kind } = result.failure ?? {};
  const until = exchanges.slice(0, end < 0 ? undefined : end + 1);
  const ofEndpoints = fromEndpoints(result, until, kept);
  if (ofEndpoints !== undefined) return ofEndpoints;
  const last = until.at(-1);
  // What a delete left is read.
  const left = last !== undefined && kind === 'no-effect' ? leftBy(last, result, kept) : undefined;
  if (last !== undefined && left !== undefined) {
    const request = reading(left, { expects: 'refused' });
    const setUp = stepsBefore(last, [{ path: left }], [last], kept);
    return { notes: [], setUp, request, claims: [], expected: result.expected ?? '', observed: result.observed ?? '' };
  }
  const claims = asserted(result, until);
  if (typeof claims === 'string') return claims;
  // The same look again and again, until a write shows or time is up: once is enough.
  const once = until.filter(
    ({ method, path }, at) => method !== 'GET' || until[at + 1]?.method !== 'GET' || until[at + 1]?.path !== path,
  );
  const shows = once.at(-1) as ExchangeRecord;
  // Of requests that were refused, the last one shows it; elsewhere the others would be taken, and stand in its way. What was read
  // before matters only to the same read.
  const isNeeded = ({ method, status, path }: ExchangeRecord) =>
    kind !== 'refused' || (isSuccess(status) && (method !== 'GET' || path === shows.path));
  return {
    notes: [],
    setUp: stepsBefore(shows, [shows], once.slice(0, -1).filter(isNeeded), kept),
    request: exchangeStep(shows, claims.expects),
    claims: claims.claims,
    expected: result.expected ?? '',
    observed: result.observed ?? '',
  };
}
