import type { Exchange } from '../../lib/client/types.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { type AncTarget, ancFields } from '../../lib/wire/anc.ts';
import { entriesOf, idOf, isNotFound, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { CheckContext, SharedScope } from './check.ts';
import { Inconclusive } from './fault.ts';
import { until } from './poller.ts';
import { readListing } from './record/finder.ts';

const MOST_READ = 200;

type Looker = Pick<CheckContext, 'family' | 'send' | 'follow' | 'table' | 'run'>;

export const macDigits = (mac: unknown) => `${mac}`.replace(/[^0-9a-f]/gi, '').toUpperCase();

export const sendAnc = (
  { send }: Pick<CheckContext, 'send'>,
  operation: AncOperationName,
  target: AncTarget,
  input: RequestInput = {},
): Promise<Exchange> => send(ANC_OPERATIONS[operation].op, { ...input, fields: ancFields(operation, target) });

const NO_SESSION: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** True for a refused apply by IP address that may say that nobody has it: the statuses of errors are not shown ("Errors"). */
export const mayLackSession = ({ status, body }: Pick<Exchange, 'status' | 'body'>): boolean =>
  NO_SESSION.has(status) || /\bsession/i.test(body);

/** What a look for an endpoint showed; `unknown` if no answer could tell. */
type Found = JsonObject | 'absent' | 'unknown';

async function among(context: Looker, entries: readonly JsonObject[], mac: string): Promise<Found> {
  // A name that is no address says nothing of the endpoint.
  const named = entries.filter(({ name }) => macDigits(name).length !== 12 || macDigits(name) === macDigits(mac));
  let isUnread = named.length > MOST_READ;
  for (const entry of named.slice(0, MOST_READ)) {
    const id = idOf(entry);
    const read: Exchange | undefined = id === undefined ? undefined : await context.send('read', { id });
    const record = read !== undefined && isSuccess(read) ? recordOf(read) : undefined;
    if (record !== undefined && macDigits(record['macAddress'] ?? record['name']) === macDigits(mac)) return record;
    // One that was cleared meanwhile is no longer there; any other refusal hides a record.
    isUnread ||= record === undefined && (read === undefined || !isNotFound(read));
  }
  return isUnread ? 'unknown' : 'absent';
}

/** Entries of the list that a filter for the address shows; undefined if none is answered. */
export async function listedFor({ family, send }: Looker, mac: string): Promise<readonly JsonObject[] | undefined> {
  const field = family.filters.find((name) => memberOf(family.name, name) === 'macAddress' || name === 'name');
  const filters = field === undefined ? [] : [{ field, operator: 'EQ' as const, value: mac }];
  const answer = await send('list', { list: { filters } });
  return isSuccess(answer) ? entriesOf(answer) : undefined;
}

/** What the filter shows of an endpoint, or the whole list if the filter is refused, is known to miss, or `wide` is set. */
async function look(context: Looker, mac: string, wide: boolean): Promise<Found> {
  const listed = await listedFor(context, mac);
  const filtered = listed === undefined ? 'unknown' : await among(context, listed, mac);
  const isMissing = filtered === 'absent' && (wide || context.run.anc().isMissed === true);
  if (filtered !== 'unknown' && !isMissing) return filtered;
  const { entries, isWhole } = await readListing(context, context.family.name);
  const found = await among(context, entries, mac);
  return found === 'absent' && !isWhole ? 'unknown' : found;
}

/**
 * Record of an endpoint, looked for in the whole list too if `wide` is set; undefined if it has none.
 * Throws `Inconclusive` if no answer tells: a lookup without success never means that nothing is there.
 */
export async function recordFor(context: Looker, mac: string, wide = false): Promise<JsonObject | undefined> {
  const found = await look(context, mac, wide);
  if (found === 'unknown') throw new Inconclusive(`no list tells whether ${mac} holds a policy`);
  return found === 'absent' ? undefined : found;
}

/** True if the endpoint holds a policy, false if it holds none; undefined if no answer tells. */
export async function isHeld(context: Looker, mac: string, wide = false): Promise<boolean | undefined> {
  const found = await look(context, mac, wide);
  return found === 'unknown' ? undefined : found !== 'absent';
}

/**
 * True if an apply or clear was taken: answered with success, or as the target was seen to answer one that took effect. The
 * specification shows no status of either (gaps G-07 and G-12); a look tells the outcome.
 */
export const isTaken = ({ run }: Pick<CheckContext, 'run'>, op: 'apply' | 'clear', answer: Exchange): boolean =>
  isSuccess(answer) || run.anc().effective[op] === answer.status;

/** Why no list shows an applied endpoint: if a second apply lists it and another one then is missing, applies take others' policies. */
async function lossOf(context: CheckContext, macAddress: string, others: readonly string[]): Promise<string> {
  const [policyName = ''] = context.run.endpoints?.policies ?? [];
  const heldOf = async () => {
    const held = await Promise.all(others.map(async (each) => [each, await isHeld(context, each, true)] as const));
    return held.flatMap(([each, is]) => (is === true ? [each] : []));
  };
  const before = await heldOf();
  await sendAnc(context, 'apply-by-mac', { macAddress, policyName });
  const isThere = await until(context, async () => (await isHeld(context, macAddress, true)) === true);
  const after = new Set(isThere ? await heldOf() : before);
  const taken = before.find((each) => !after.has(each));
  return taken === undefined ? `no list shows the endpoint ${macAddress}` : `applying ${macAddress} clears ${taken}`;
}

/** Takes in the applies of a preparation that were answered 2xx, by MAC address, and tells of the first endpoint that no list holds. */
export async function noteApplies(
  context: CheckContext & Pick<SharedScope, 'acknowledged'>,
  applied: ReadonlyMap<string, Exchange>,
  doAllShow: boolean,
): Promise<void> {
  let isLooking = !doAllShow;
  for (const [macAddress, exchange] of applied) {
    const isLost = isLooking && (await recordFor(context, macAddress, true)) === undefined;
    const others = () => [...applied.keys()].filter((each) => each !== macAddress);
    if (isSuccess(exchange))
      context.acknowledged('apply', exchange, isLost ? await lossOf(context, macAddress, others()) : undefined);
    isLooking &&= !isLost;
  }
}
