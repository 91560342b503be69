import { addressOf, withColons } from '../../conformance/model/address.ts';
import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { isOfEndpoint } from '../../lib/records/rests-on.ts';
import type { Told } from './from-grounds.ts';
import { exchangeStep, type Kept, reading } from './kept.ts';
import type { Claim, Step } from './script.ts';

/** Writes to one endpoint that a file does at most: the last ones. */
const MOST_WRITES = 8;

type Asked = Pick<Told, 'setUp' | 'request' | 'claims'>;

const isApply = ({ path }: ExchangeRecord): boolean => path.endsWith('/apply');

const wordsIn = (text: string): readonly string[] => text.split(/[^\w:.-]+/);

/** Endpoints that a text names, each in a form in which its addresses are alike. */
function endpointsIn(text: string, { placeOf }: Kept): readonly unknown[] {
  return wordsIn(text).flatMap((word) => placeOf(word) ?? addressOf(word) ?? []);
}

/** The last apply of each of the endpoints, by the addresses that they are named by; undefined if one was not kept. */
export function appliesOf(addresses: readonly string[], kept: Kept): readonly Step[] | undefined {
  const histories = historiesOf(kept.writes.filter(isOfEndpoint).filter(isApply), kept);
  const last = addresses.map((address) => histories.get(endpointsIn(address, kept)[0])?.at(-1));
  const found = last.filter((write) => write !== undefined);
  return found.length < last.length ? undefined : stepsOf(kept.writes.filter((write) => found.includes(write)));
}

/** What an apply or a clear is, but for the endpoint that it names. */
const shapeOf = ({ path, requestHeaders, requestBody = '' }: ExchangeRecord, kept: Kept): string =>
  JSON.stringify([
    path,
    requestHeaders,
    wordsIn(requestBody).filter((word) => endpointsIn(word, kept)[0] === undefined),
  ]);

/** An endpoint with the writes to it. */
function historiesOf(writes: readonly ExchangeRecord[], kept: Kept): ReadonlyMap<unknown, readonly ExchangeRecord[]> {
  const histories = new Map<unknown, readonly ExchangeRecord[]>();
  for (const write of writes)
    for (const endpoint of endpointsIn(write.requestBody ?? '', kept))
      histories.set(endpoint, [...(histories.get(endpoint) ?? []), write]);
  return histories;
}

const stepsOf = (writes: Iterable<ExchangeRecord>): readonly Step[] =>
  [...new Set(writes)].map((write) => exchangeStep(write, 'any'));

/** A write that was refused, behind the writes to its endpoint; if another of its form was taken, with a policy on all that had one. */
function refused(last: ExchangeRecord, writes: readonly ExchangeRecord[], kept: Kept): Asked {
  const own = new Set(endpointsIn(last.requestBody ?? '', kept));
  const shape = shapeOf(last, kept);
  const isOfState = writes.some((write) => shapeOf(write, kept) === shape);
  const needed = [...historiesOf(writes, kept)].flatMap(([endpoint, all]) =>
    own.has(endpoint) ? all.slice(-MOST_WRITES) : all.slice(-1).filter((one) => isOfState && isApply(one)),
  );
  const setUp = stepsOf(writes.filter((write) => needed.includes(write)));
  return { setUp, request: exchangeStep(last, 'taken'), claims: [] };
}

/** The field that lists of endpoints are filtered by, as the run was answered. Source: "Resources and their fields", ANC endpoint. */
function filterOf(base: string, { exchanges }: Kept): string {
  const asked = [...exchanges.values()].filter(({ path, status }) => path.startsWith(`${base}?`) && status === 200);
  const fields = asked.flatMap(({ path }) => /[?&]filter=(\w+)\.EQ\.[0-9a-f]{2}(?::|%3A)/i.exec(path)?.[1] ?? []);
  return fields[0] ?? 'name';
}

/** The writes to the endpoints that a failure names, and what the list that is filtered by the address of the first has to show. */
function looked(text: string, writes: readonly ExchangeRecord[], kept: Kept, isOfPolicy: boolean): Asked | string {
  const histories = historiesOf(writes, kept);
  const named = [...new Set(endpointsIn(text, kept))];
  // An endpoint that was named by its IP address was named by the other one elsewhere.
  const words = [text, ...(histories.get(named[0]) ?? []).map(({ requestBody = '' }) => requestBody)].flatMap(wordsIn);
  const address = words.find((word) => addressOf(word) !== undefined && endpointsIn(word, kept)[0] === named[0]);
  const needed = named.flatMap((endpoint) => histories.get(endpoint)?.slice(-MOST_WRITES) ?? []);
  const [base] = writes.map(({ path }) => path.replace(/\/(apply|clear)$/, ''));
  if (address === undefined || needed.length === 0 || base === undefined)
    return 'the writes to its endpoint were not kept';
  const setUp = stepsOf(writes.filter((write) => needed.includes(write)));
  const list = reading(`${base}?filter=${filterOf(base, kept)}.EQ.${withColons(addressOf(address) ?? '')}`, {});
  const latest = histories.get(named[0])?.at(-1);
  const isThere = latest !== undefined && isApply(latest);
  const policy = isThere ? /"policyName"\s*,\s*"value"\s*:\s*("[^"]*")/.exec(latest.requestBody ?? '')?.[1] : undefined;
  if (policy === undefined || !isOfPolicy)
    return { setUp, request: list, claims: [{ kind: 'holds', texts: ['"id"'], isThere }] };
  // The target alone knows the id: this one stands for it.
  const id = `record-of-${addressOf(address) ?? ''}`;
  const claim: Claim = { kind: 'member', member: 'policyName', value: JSON.parse(policy) };
  return {
    setUp: [...setUp, { ...list, creates: id, from: 'list' }],
    request: reading(`${base}/${id}`, {}),
    claims: [claim],
  };
}

/** A failure about endpoints as requests; undefined for any other, and a text says why there is no file. */
export function fromEndpoints(
  result: ConformanceResult,
  exchanges: readonly ExchangeRecord[],
  kept: Kept,
): Told | string | undefined {
  const { failure, expected = '', observed = '' } = result;
  const last = exchanges.at(-1);
  if (failure === undefined || last === undefined || !['apply', 'clear'].includes(failure.operation ?? ''))
    return undefined;
  const writes = kept.writes.filter(
    (write) => isOfEndpoint(write) && write.family === last.family && write.at <= last.at,
  );
  if (failure.kind === 'refused')
    return isOfEndpoint(last) && last.status >= 400
      ? { ...refused(last, writes, kept), notes: [], expected, observed }
      : undefined;
  if (failure.kind === 'accepted' || !/^(record|other records|policy|request|list)$/.test(failure.subject ?? ''))
    return undefined;
  // What names no endpoint is about the one that was written to last.
  const text = `${expected} ${observed}`;
  const [named] = endpointsIn(text, kept);
  const asked = looked(
    named === undefined ? (exchanges.findLast(isOfEndpoint)?.requestBody ?? '') : text,
    writes,
    kept,
    failure.subject === 'policy',
  );
  return typeof asked === 'string' ? asked : { ...asked, notes: [], expected, observed };
}
