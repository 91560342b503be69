import type { JsonObject } from '../../lib/wire/answer.ts';
import { MAC } from '../../lib/wire/endpoint.ts';
import type { About, Subject } from '../kit/fault.ts';
import { isNothing } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import { addressOf, withColons } from './address.ts';
import type { Difference } from './difference.ts';
import type { End } from './history.ts';
import { type EndpointsObservation, type ListObservation, listText, type ShownEntry } from './observation.ts';

/** One apply or clear of one endpoint: plain data, in the order of the answers. */
export interface AncWrite {
  readonly kind: 'apply' | 'clear';
  /** Address of the endpoint, as digits in capitals. */
  readonly address: string;
  readonly policy?: string | undefined;
  /** What about the request is not plain: `by IP address`. */
  readonly how?: readonly string[];
  readonly end: End;
}

/** What one endpoint holds: a policy, none (null), or undefined if a write of unknown end may have changed it. */
export interface Holding {
  readonly policy: string | null | undefined;
  readonly last: AncWrite;
}

/** What the endpoints that were written to hold, by address. */
export type Holdings = ReadonlyMap<string, Holding>;

/** What an endpoint holds after one more write. Source: "Special paths", apply and clear. */
export function afterAnc(before: Holding | undefined, write: AncWrite): Holding | undefined {
  if (write.end === 'refused') return before;
  if (write.end === 'unknown') return { policy: undefined, last: write };
  return { policy: write.kind === 'clear' ? null : write.policy, last: write };
}

/** What applies had about them after which a clear did nothing, and none after which one worked. What a look found has nothing. */
export function applyWords(history: readonly AncWrite[]): readonly string[] {
  const [kept, cleared]: [AncWrite[], AncWrite[]] = [[], []];
  for (const [at, { kind, address }] of history.entries()) {
    const isSame = (write: AncWrite) => write.address === address;
    const before = history.slice(0, at).findLast(isSame);
    if (kind !== 'clear' || before?.kind !== 'apply' || before.how === undefined) continue;
    const next = history.slice(at + 1).find(isSame);
    (next?.kind === 'apply' && next.how === undefined ? kept : cleared).push(before);
  }
  const [first, ...more] = kept;
  return (first?.how ?? []).filter(
    (word) => more.every(({ how }) => how?.includes(word)) && !cleared.some(({ how }) => how?.includes(word)),
  );
}

interface ShownEndpoint {
  readonly id: string;
  /** As it is shown, and as digits; undefined if no answer names it. */
  readonly text: string | undefined;
  readonly address: string | undefined;
  readonly policy: string | undefined;
  /** A read that shows no address. */
  readonly unaddressed: JsonObject | undefined;
}

/** What a record says of its endpoint: its read, and its entry if it was not read. */
export function endpointIn({ id, record, read }: ShownEntry): ShownEndpoint {
  const from = read ?? record;
  const text = [from['macAddress'], from['name']].find((each) => addressOf(each) !== undefined) ?? from['macAddress'];
  const policy = from['policyName'];
  return {
    id,
    text: typeof text === 'string' ? text : undefined,
    address:
      addressOf(text) ?? (typeof text === 'string' && /^[0-9a-f]{12}$/i.test(text) ? text.toUpperCase() : undefined),
    policy: typeof policy === 'string' && policy !== '' ? policy : undefined,
    unaddressed: isNothing(from['macAddress']) ? read : undefined,
  };
}

type Fault = Omit<Difference, 'family'>;

/** The first thing about one endpoint that its applies and clears do not allow. */
function endpointFault(
  address: string,
  holding: Holding | undefined,
  all: readonly ShownEndpoint[],
  isUnread: boolean,
): Fault | undefined {
  const held = all.filter((each) => each.address === address);
  const endpoint = withColons(address);
  const [first] = held;
  const operation = holding?.last.kind ?? 'apply';
  const kept = held.flatMap(({ policy }) => policy ?? []);
  const wrongForm = held.find(({ text }) => !MAC.test(text ?? ''));
  const fault = (kind: About['kind'], subject: Subject, expected: string, observed: string): Fault => ({
    ...{ requirement: 'SPC-ANC', about: { kind, operation, subject }, expected, observed },
  });
  if (wrongForm !== undefined) {
    const expected = `the address ${endpoint} with colons between its bytes`;
    return { ...fault('value', 'address', expected, shown(wrongForm.text)), requirement: 'RES-MAC' };
  }
  if (holding === undefined || holding.policy === null) {
    if (first === undefined || (holding !== undefined && kept.length === 0)) return undefined;
    const observed = `a record ${first.id} with the policy ${shown(first.policy)}`;
    if (holding !== undefined) return fault('no-effect', 'record', `${endpoint} to be cleared`, observed);
    return fault('no-effect', 'other records', `no policy on ${endpoint}, which no request named`, observed);
  }
  const { policy } = holding;
  if (policy === undefined) return undefined;
  if (first === undefined) {
    const expected = `a record of ${endpoint} with the policy ${policy}`;
    const lost = fault('no-effect', 'record', expected, `not among ${all.length}`);
    if (!isUnread) return lost;
    const observed = 'records that are listed and cannot be read';
    return { ...lost, requirement: 'OP-{family}-R', about: { ...lost.about, operation: 'read' }, observed };
  }
  const ids = new Set(held.map(({ id }) => id));
  if (ids.size > 1)
    return fault('records', 'record', `one record of ${endpoint}`, held.map(({ id }) => id).join(' and '));
  const unaddressed = held.find((each) => each.unaddressed)?.unaddressed;
  if (unaddressed !== undefined) {
    const expected = `macAddress of ${endpoint}`;
    const absent = fault('missing', 'member macAddress', expected, `absent from ${shown(unaddressed)}`);
    return { ...absent, requirement: 'RES-ANC', about: { ...absent.about, operation: 'read' } };
  }
  // That a record shows its policy at all is for the schema to tell.
  if (kept.length === 0 || kept[0] === policy) return undefined;
  return fault('value', 'policy', `the policy ${policy} on ${endpoint}`, shown(kept[0]));
}

interface Latest {
  readonly named?: ReadonlySet<string> | undefined;
  readonly applies?: readonly AncWrite[] | undefined;
}

/** An endpoint that was right at the last look and that no request named since: what was sent took its policy, or put another on it. */
function lostBeside(
  address: string,
  holding: Holding | undefined,
  all: readonly ShownEndpoint[],
  { named, applies }: Latest,
): Fault | undefined {
  const { policy } = holding ?? {};
  const latest = applies?.at(-1);
  if (named === undefined || named.size === 0 || named.has(address) || latest === undefined) return undefined;
  const [shownFirst] = all.filter((each) => each.address === address);
  if (typeof policy !== 'string' || (shownFirst !== undefined && [policy, undefined].includes(shownFirst.policy)))
    return undefined;
  const sent = [...named].map(withColons).join(' and ');
  return {
    requirement: 'SPC-ANC',
    about: { kind: 'no-effect', operation: latest.kind, subject: 'other records' },
    expected: `${withColons(address)} to keep ${policy}`,
    observed: `${shownFirst === undefined ? 'no record of it' : shown(shownFirst.policy)} after the ${latest.kind} of ${sent}`,
  };
}

/** True if a list shows an entry for an endpoint that was cleared: only a read tells whether the record is there and names a policy. */
export function isOfCleared(holdings: Holdings, { filters }: ListObservation['question'], entry: ShownEntry): boolean {
  const [only, ...more] = filters;
  const asked = more.length === 0 && only?.operator === 'EQ' ? only.value : undefined;
  const address = endpointIn(entry).address ?? addressOf(asked);
  return address !== undefined && holdings.get(address)?.policy === null;
}

/** An entry of an endpoint that was cleared, unless a read shows that its record is there and names no policy. Source: "Special paths". */
export function judgeCleared(holdings: Holdings, { question, shown }: ListObservation): Difference | undefined {
  const stale = shown.pages.flat().find((entry) => {
    const isFree = entry.read !== undefined && endpointIn(entry).policy === undefined;
    return isOfCleared(holdings, question, entry) && !isFree;
  });
  if (stale === undefined) return undefined;
  return {
    requirement: 'SPC-ANC',
    about: { kind: 'no-effect', operation: 'clear', subject: 'record' },
    family: question.family,
    expected: `nothing of an endpoint that was cleared in ${listText(question)}`,
    observed: `a record ${stale.id}${stale.read === undefined ? ', which no read finds' : ''}`,
  };
}

/** What records of endpoints wrongly show: an applied one has one record with its policy, others have none. Source: "Special paths". */
export function judgeEndpoints(
  holdings: Holdings,
  { question: { family }, shown: list, ours }: EndpointsObservation,
  facts: Latest = {},
): Difference | undefined {
  const entries = list.pages.flat();
  const all = entries.map(endpointIn);
  // Those of others are not read.
  const isUnread = entries.some((entry) => entry.read === undefined && endpointIn(entry).address === undefined);
  // A list that was not read to its end shows only what is in it.
  const addresses = list.end === 'whole' ? [...holdings.keys(), ...ours] : all.flatMap(({ address }) => address ?? []);
  for (const address of new Set(addresses)) {
    const holding = holdings.get(address);
    if (holding === undefined && !ours.includes(address)) continue;
    const fault = lostBeside(address, holding, all, facts) ?? endpointFault(address, holding, all, isUnread);
    if (fault !== undefined) return { ...fault, family, requirement: fault.requirement.replace('{family}', family) };
  }
  return undefined;
}
