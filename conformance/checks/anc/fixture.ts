import type { Exchange } from '../../../lib/client/types.ts';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { ANC_OPERATIONS } from '../../../lib/contract/anc.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { ancFields } from '../../../lib/wire/anc.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { CheckContext } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { listEntries } from '../../kit/record/finder.ts';

/** An endpoint that the operator gave to the run and that held no policy when it was chosen. */
export interface Endpoint {
  readonly macAddress: string;
  readonly ipAddress?: string;
  readonly policyName: string;
}

const MOST_READ = 200;
/** Endpoints from the beginning of the pool, of a larger one more: list checks take theirs from its end. */
const lookedAt = (size: number): number => Math.min(size, Math.max(12, Math.min(24, Math.floor(size / 2))));

const digits = (mac: unknown) =>
  String(mac)
    .replace(/[^0-9a-f]/gi, '')
    .toUpperCase();

async function among(
  context: CheckContext,
  entries: readonly JsonObject[],
  mac: string,
): Promise<JsonObject | undefined> {
  const named = entries.filter((entry) => entry['name'] === undefined || digits(entry['name']) === digits(mac));
  for (const entry of named.slice(0, MOST_READ)) {
    const id = idOf(entry);
    const read = id === undefined ? undefined : await context.send('read', { id });
    const record = read !== undefined && isSuccess(read) ? recordOf(read) : undefined;
    if (record !== undefined && digits(record['macAddress'] ?? record['name']) === digits(mac)) return record;
  }
  return undefined;
}

/** Record of the endpoint: found by the filter, else in the whole list where `wide`. */
export async function recordFor(context: CheckContext, mac: string, wide = false): Promise<JsonObject | undefined> {
  const field = context.family.filters.find(
    (name) => memberOf(context.family.name, name) === 'macAddress' || name === 'name',
  );
  const filters = field === undefined ? [] : [{ field, operator: 'EQ' as const, value: mac }];
  const listed = entriesOf(await context.send('list', { list: { filters } })) ?? [];
  const found = await among(context, listed, mac);
  if (found !== undefined || !wide) return found;
  return among(context, await listEntries(context, context.family.name), mac);
}

/** An endpoint of the pool that holds nothing, each check another one. Throws `Blocked` where none was given. */
export async function freeEndpoint(context: CheckContext, turn: number): Promise<Endpoint> {
  const { pool, policies } = context.run.endpoints ?? {};
  const policyName = policies?.[0];
  if (pool === undefined || policyName === undefined)
    throw new NotTestable('no endpoint pool and policy were given to the run', '--endpoints and --policy');
  const size = lookedAt(pool.size);
  for (let step = 0; step < size; step += 1) {
    const endpoint = pool.at((turn + step) % size);
    if ((await recordFor(context, endpoint.macAddress)) === undefined) return { ...endpoint, policyName };
  }
  throw new NotTestable(`the first ${size} endpoints of the pool all hold a policy`, 'endpoints without a policy');
}

/** Sends one of the five ANC operations for an endpoint. */
export function sendAnc(
  context: CheckContext,
  operation: AncOperationName,
  endpoint: Endpoint,
  input: RequestInput = {},
): Promise<Exchange> {
  return context.send(ANC_OPERATIONS[operation].op, { ...input, fields: ancFields(operation, { ...endpoint }) });
}

/** Waits until the endpoint's record is there; undefined where it does not come. */
export async function untilApplied(context: CheckContext, { macAddress }: Endpoint): Promise<JsonObject | undefined> {
  const soon = await context.eventually(() => recordFor(context, macAddress));
  return soon ?? recordFor(context, macAddress, true);
}

/** Waits until the endpoint's record is gone; the record where it stays. */
export async function untilCleared(context: CheckContext, { macAddress }: Endpoint): Promise<JsonObject | undefined> {
  let last: JsonObject | undefined;
  await context.eventually(async () => {
    last = await recordFor(context, macAddress);
    return last === undefined ? true : undefined;
  });
  return last;
}
