import { addressOf, withColons } from '../../conformance/model/address.ts';
import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { isOfEndpoint } from '../../lib/records/rests-on.ts';
import type { Asked } from './of-failure.ts';
import { finding, type Kept, reading } from './steps.ts';

/** Writes to one endpoint that a file does at most: the last ones. */
const MOST_WRITES = 8;

const isApply = ({ path }: ExchangeRecord): boolean => path.endsWith('/apply');

const wordsIn = (text: string): readonly string[] => text.split(/[^\w:.-]+/);

/** Endpoints that a text names, each in a form in which its addresses are alike. */
function endpointsIn(text: string, { placeOf }: Kept): readonly unknown[] {
  return wordsIn(text).flatMap((word) => placeOf(word) ?? addressOf(word) ?? []);
}

/** The last writes before a request to the endpoints that texts name; with those that put a policy on any other, if all count. */
export function writesTo(
  texts: readonly string[],
  shows: ExchangeRecord,
  kept: Kept,
  doAllCount = false,
): readonly ExchangeRecord[] {
  const own = new Set(endpointsIn(texts.join(' '), kept));
  const writes = new Map<unknown, ExchangeRecord[]>();
  for (const write of kept.writes) {
    const [endpoint, ...more] = new Set(endpointsIn(write.requestBody ?? '', kept));
    // What becomes of several that one request names, nobody knows.
    if (!isOfEndpoint(write) || write.family !== shows.family || write.at > shows.at || more.length > 0) continue;
    writes.set(endpoint, [...(writes.get(endpoint) ?? []), write]);
  }
  return [...writes].flatMap(([endpoint, all]) =>
    own.has(endpoint) ? all.slice(-MOST_WRITES) : all.slice(-1).filter((one) => doAllCount && isApply(one)),
  );
}

/** A failure about what an apply or a clear did, as a look for the record of its endpoint; undefined for any other. */
export function ofEndpoints(result: ConformanceResult, sent: readonly ExchangeRecord[], kept: Kept): Asked | undefined {
  const { failure, expected = '', observed = '' } = result;
  const shows = sent.at(-1);
  const isOwn = ['apply', 'clear'].includes(failure?.operation ?? '') && !/refused|accepted/.test(failure?.kind ?? '');
  if (!isOwn || shows === undefined || !/^(record|other records|policy|request|list)$/.test(failure?.subject ?? ''))
    return undefined;
  // What names no endpoint is about the one that was written to last.
  const told = `${expected} ${observed}`;
  const text = endpointsIn(told, kept).length > 0 ? told : (sent.findLast(isOfEndpoint)?.requestBody ?? '');
  const [endpoint] = endpointsIn(text, kept);
  const latest = writesTo([text], shows, kept).filter(({ requestBody = '' }) =>
    endpointsIn(requestBody, kept).includes(endpoint),
  );
  // An endpoint that was named by its IP address was named by the other one elsewhere.
  const words = [text, ...latest.map(({ requestBody = '' }) => requestBody)].flatMap(wordsIn);
  const address = words.find((word) => addressOf(word) !== undefined && endpointsIn(word, kept)[0] === endpoint);
  const last = latest.at(-1);
  if (address === undefined || last === undefined) return undefined;
  // The target alone knows the id: this one stands for it.
  const id = `record-of-${addressOf(address)}`;
  const found = finding(shows.family, withColons(addressOf(address) ?? ''), id);
  const policy = /"policyName"\s*,\s*"value"\s*:\s*"([^"]*)"/.exec(last.requestBody ?? '')?.[1];
  const asked = { sent, named: [], texts: [text] };
  const all = result.evidence.flatMap((one) => kept.exchanges.get(one) ?? []);
  // If the list shows it, its record is wrong.
  const isListed = all.findLast(({ path }) => path === found.path)?.responseBody.includes('"id"') === true;
  if (!isApply(last) || policy === undefined || !(isListed || failure?.subject === 'policy'))
    return {
      ...asked,
      request: reading(found.path, {}),
      claims: [{ kind: 'holds', texts: ['"id"'], isThere: isApply(last) }],
    };
  return {
    ...{ ...asked, finds: [found] },
    request: reading(`/ers/config/${shows.family}/${id}`, {}),
    claims: [
      { kind: 'member', member: 'policyName', value: policy },
      { kind: 'holds', texts: [withColons(addressOf(address) ?? '')], isThere: true },
    ],
  };
}
