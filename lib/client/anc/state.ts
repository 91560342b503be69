import pLimit from 'p-limit';
import { ANC_OPERATIONS, type AncOperationName } from '../../contract/anc.ts';
import { defined } from '../../defined.ts';
import { TargetError } from '../../errors.ts';
import { type AncTarget, ancFields } from '../../wire/anc.ts';
import { isNotFound, isSuccess, totalOf } from '../../wire/answer.ts';
import { MAC } from '../../wire/endpoint.ts';
import { pageOf } from '../../wire/list-walk.ts';
import { readEntries } from '../http/read-entries.ts';
import { policyIn } from '../safety/endpoints.ts';
import { entryOf, type ListEntry } from '../safety/record-identity.ts';
import { heldPolicyIn, normalAddress } from '../safety/targets.ts';
import type { ErsClient, Exchange } from '../types.ts';
import { ancFamilyOf, lookUp, lookupOf, macFormOf } from './lookup.ts';

/** What an endpoint holds: the name of a policy, `''` where the record does not name it, null for nothing. */
export type Holding = string | null;

/** Endpoints with a policy that a walk of the list reads at most; where there are more, the list is not whole. */
export const WALK_LIMIT = 5000;
const PAGE_SIZE = 100;
/** Records that are read of a list that is longer, or whose end is not reached: it may have none. */
const MOST_OF_PART = 500;

/** Raised where the target gives no answer that tells what an endpoint holds. */
export class UnreadableState extends TargetError {
  constructor(message: string) {
    super('unreadable-state', `what endpoints hold cannot be read: ${message}`, {
      hint: 'the login has to be able to list and read endpoints; nothing of this run can be proven without',
    });
  }
}

/** What was asked of the target; undefined where none of its answers tells. */
export const ifReadable = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((fault: unknown) => {
    if (fault instanceof UnreadableState) return undefined;
    throw fault;
  });

/** MAC address and policy of a record; null if the answer holds no record. */
export async function readAnc(client: ErsClient, id: string) {
  const exchange = await client.send(ancFamilyOf(client), 'read', { id });
  if (isNotFound(exchange)) return null;
  const held = heldPolicyIn(exchange);
  if (held === undefined) throw new UnreadableState(`reading record ${id} answered ${exchange.status}`);
  return { ...held, policy: policyIn(client.options.policies ?? [], held.policy) };
}

/** True if an entry shows the address of another endpoint: it need not be read. A name that is no address tells nothing. */
function isOther({ name }: ListEntry, among: (mac: string) => boolean): boolean {
  if (name === undefined) return false;
  const shown = normalAddress(name);
  return MAC.test(shown) && !among(shown);
}

async function holdingIn(client: ErsClient, entries: readonly ListEntry[], mac: string): Promise<Holding | undefined> {
  for (const entry of entries) {
    if (isOther(entry, (shown) => shown === mac)) continue;
    const record = await readAnc(client, entry.id);
    if (record !== null && record.mac === mac) return record.policy;
  }
  return undefined;
}

const listed = (client: ErsClient) =>
  readEntries(client, ancFamilyOf(client), { size: PAGE_SIZE }, WALK_LIMIT / PAGE_SIZE);

/** Endpoints that hold a policy, as far as the list can be walked. Throws `UnreadableState` if no page can be read. */
export async function seenHoldings(client: ErsClient, among: (mac: string) => boolean = () => true) {
  const walk = await listed(client);
  if (!isSuccess(walk)) throw new UnreadableState(`the list answered ${walk.status}`);
  const held = new Map<string, string>();
  const records = new Map<string, { readonly id: string; readonly written: readonly string[] }>();
  // A page may hold more than was asked for.
  const isRead = walk.complete && walk.entries.length <= WALK_LIMIT;
  // A list that goes round and round shows the same entries hundreds of times.
  const entries = new Map(walk.entries.map((entry) => [entry.id, entry]));
  const open = [...entries.values()].filter((entry) => !isOther(entry, among));
  const missing: string[] = [];
  let unread: TargetError | undefined;
  let isNamed = true;
  const look = async (entry: ListEntry) => {
    try {
      const record = await readAnc(client, entry.id);
      if (record === null) missing.push(entry.id);
      // A record that shows no address may be that of any endpoint.
      else if (!MAC.test(record.mac)) isNamed = false;
      else if (among(record.mac)) {
        held.set(record.mac, record.policy);
        records.set(record.mac, { id: entry.id, written: record.written });
      }
    } catch (fault) {
      if (!(fault instanceof TargetError) || fault.code === 'refused-login') throw fault;
      unread ??= fault;
    }
  };
  await pLimit(client.options.target.connections).map(open.slice(0, isRead ? open.length : MOST_OF_PART), look);
  if (missing.length > 0) {
    // Where the list still shows any of the records, a read that does not find them does not say that they are gone.
    const { entries: after, complete } = await listed(client);
    if (!complete || after.some(({ id }) => missing.includes(id)))
      unread ??= new UnreadableState('records that the list shows answer 404');
    // What it shows now and did not show before may be any of them.
    isNamed &&= after.every(({ id }) => entries.has(id));
  }
  return {
    held: held as ReadonlyMap<string, string>,
    records: records as ReadonlyMap<string, { readonly id: string; readonly written: readonly string[] }>,
    ids: [...entries.keys()] as readonly string[],
    /** True if the list was read to its end, and each record that matters names its address: one that is not there holds nothing. */
    isWhole: isRead && isNamed && unread === undefined,
    ...defined({ fault: unread }),
  };
}
export type SeenHoldings = Awaited<ReturnType<typeof seenHoldings>>;

/** What the list filter says that one endpoint holds; undefined if it is refused, shows other records, or is known to miss some. */
export async function holdingByFilter(client: ErsClient, macAddress: string): Promise<Holding | undefined> {
  const mac = normalAddress(macAddress);
  const lookup = lookupOf(client);
  const found = await lookUp(client, mac);
  if (found === undefined) return undefined;
  const { items, total = 0 } = found;
  if (items.length === 0 && total === 0) return lookup.misses ? undefined : null;
  // Not the one record that was asked for: to read them all tells nothing.
  if (items.length > PAGE_SIZE) return undefined;
  const held = await holdingIn(client, items.map(entryOf), mac);
  if (held !== undefined) lookup.finds = true;
  return held;
}

/** Entries among which one is looked for that shows how addresses are written. */
const EXAMPLES = 20;

/** MAC address of an endpoint that the list shows with a policy, if possible one with letters. */
export async function holderListed(client: ErsClient): Promise<string | undefined> {
  const page = pageOf(await client.send(ancFamilyOf(client), 'list', { list: { size: EXAMPLES } }));
  let known: string | undefined;
  for (const { id } of page?.items.slice(0, EXAMPLES) ?? []) {
    const record = await readAnc(client, id).catch(() => null);
    if (record === null || !MAC.test(record.mac)) continue;
    known = record.mac;
    if (/[A-F]/.test(known)) break;
  }
  return known;
}

/**
 * Learns from one endpoint that holds a policy how to ask the list for one: in the usual form of an address,
 * else as its record writes it, or its name. If none finds it, what the filter does not find counts for nothing.
 */
export async function learnLookup(client: ErsClient, macAddress: string): Promise<void> {
  // Refused, or answered with other records: the filter is not taken for more than it is.
  if ((await holdingByFilter(client, macAddress)) !== null) return;
  const lookup = lookupOf(client);
  const known = normalAddress(macAddress);
  const written = (await seenHoldings(client, (mac) => mac === known)).records.get(known)?.written;
  // Not listed at all: that is no fault of the filter.
  if (written === undefined) return;
  lookup.misses = false;
  for (const text of written) {
    lookup.form = macFormOf(text) ?? lookup.form;
    if ((await holdingByFilter(client, macAddress)) != null) return;
  }
  lookup.misses = true;
}

/** Number of endpoints that hold a policy, as the list says; null if it does not say. */
export async function holdingTotal(client: ErsClient): Promise<number | null> {
  const exchange = await client.send(ancFamilyOf(client), 'list', { list: { size: 1 } });
  const shown = pageOf(exchange)?.items.length;
  const total = totalOf(exchange);
  // A total below what is shown is none.
  return shown === undefined || total === undefined || total < shown ? null : total;
}

/** Sends an ANC operation for one endpoint. */
export const sendAnc = (client: ErsClient, operation: AncOperationName, target: AncTarget): Promise<Exchange> =>
  client.send(ancFamilyOf(client), ANC_OPERATIONS[operation].op, { fields: ancFields(operation, target) });

export const clearEndpoint = (client: ErsClient, macAddress: string): Promise<Exchange> =>
  sendAnc(client, 'clear-by-mac', { macAddress });

export const applyEndpoint = (client: ErsClient, macAddress: string, policyName: string): Promise<Exchange> =>
  sendAnc(client, 'apply-by-mac', { macAddress, policyName });
