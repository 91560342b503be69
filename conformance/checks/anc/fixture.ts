import { ANC_OPERATIONS, type AncOperation, type AncOperationName } from '../../../lib/contract/anc.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { idOf, isNotFound, type JsonObject } from '../../../lib/wire/answer.ts';
import { isTaken, listedFor, mayLackSession, recordFor, sendAnc } from '../../kit/anc.ts';
import { answerText } from '../../kit/answer.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { until } from '../../kit/poller.ts';
import { listEntries } from '../../kit/record/finder.ts';

export const onAnc = {
  requirement: 'SPC-ANC',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'read'),
  needs: 'full',
} as const satisfies Partial<Check>;

/** By which checks of endpoints leave them as they were. */
export const LEAVES = ['anc/clear|clear-by-mac'] as const;

export const BOTH = ['apply', 'clear'] as const;

/** An endpoint that the operator gave to the run and that held no policy when it was chosen. */
export interface Endpoint {
  readonly macAddress: string;
  readonly ipAddress?: string;
  readonly policyName: string;
}

/** Endpoints from the beginning of the pool, of a larger one more: list checks take theirs from its end. */
const lookedAt = (size: number): number => Math.min(size, Math.max(12, Math.min(24, Math.floor(size / 2))));

/** An endpoint of the pool that holds nothing, each check another one. Throws `NotTestable` if there is none, or none can be cleared. */
export async function freeEndpoint(context: CheckContext, turn: number): Promise<Endpoint> {
  const { pool, policies } = context.run.endpoints ?? {};
  const policyName = policies?.[0];
  if (pool === undefined || policyName === undefined)
    throw new NotTestable('no endpoint pool and policy were given to the run', '--endpoints and --policy');
  const { kept } = context.run.anc();
  if (kept !== undefined)
    throw new NotTestable(`a first endpoint could not be cleared again: ${kept.why}`, 'a clear that takes effect');
  const size = lookedAt(pool.size);
  for (let step = 0; step < size; step += 1) {
    const endpoint = pool.at((turn + step) % size);
    if ((await recordFor(context, endpoint.macAddress)) === undefined) return { ...endpoint, policyName };
  }
  throw new NotTestable(`the first ${size} endpoints of the pool all hold a policy`, 'endpoints without a policy');
}

/** Throws `NotTestable` if the operation names an IP address and the pool has none, or no session that it could lead to. */
export function needsSession({ run }: CheckContext, operation: AncOperationName, endpoint: Endpoint): void {
  const { items }: AncOperation = ANC_OPERATIONS[operation];
  if (!items.includes('ipAddress')) return;
  if (endpoint.ipAddress === undefined)
    throw new NotTestable('the pool names no IP addresses', 'endpoints with IP addresses');
  const { hasSessions, refusal, other } = run.anc();
  if (hasSessions !== false) return;
  if (other !== undefined)
    throw new NotTestable(
      `the pool names IP addresses of other endpoints: ${other}`,
      'a pool with the right addresses',
    );
  const answer = refusal === undefined ? 'refused' : answerText(refusal);
  throw new NotTestable(`endpoints of the pool have no session: ${answer}`, 'endpoints with a live session');
}

/** Applies by IP address that find no session before the endpoint counts as one without. */
const MOST_TRIES = 4;

/** Applies a policy, by IP address a few times. Throws `NotTestable` if each is refused: only the target knows which have a session. */
export async function sendApply(context: CheckContext, operation: AncOperationName, endpoint: Endpoint) {
  const { items }: AncOperation = ANC_OPERATIONS[operation];
  let applied = await sendAnc(context, operation, endpoint);
  if (!items.includes('ipAddress')) return applied;
  const isRefused = async () =>
    mayLackSession(applied) &&
    !isTaken(context, 'apply', applied) &&
    (await recordFor(context, endpoint.macAddress)) === undefined;
  for (let tries = 1; await isRefused(); tries += 1) {
    if (tries === MOST_TRIES)
      throw new NotTestable(`the endpoint has no session: ${answerText(applied)}`, 'endpoints with a live session');
    applied = await sendAnc(context, operation, endpoint);
  }
  return applied;
}

/** Does the work, and clears the endpoints again whatever comes of it. */
export async function clearedAfter(context: CheckContext, endpoints: readonly Endpoint[], work: () => Promise<void>) {
  try {
    await work();
  } finally {
    for (const endpoint of endpoints) await sendAnc(context, 'clear-by-mac', endpoint).catch(() => undefined);
  }
}

/** Waits until the endpoint's record is there; undefined if it does not come. */
export async function untilApplied(context: CheckContext, { macAddress }: Endpoint): Promise<JsonObject | undefined> {
  const soon = await context.eventually(() => recordFor(context, macAddress));
  return soon ?? recordFor(context, macAddress, true);
}

/** Waits until the endpoint's record is gone; the record where it stays. */
export async function untilCleared(context: CheckContext, { macAddress }: Endpoint): Promise<JsonObject | undefined> {
  let last: JsonObject | undefined;
  await until(context, async () => {
    last = await recordFor(context, macAddress);
    return last === undefined;
  });
  return last;
}

/** Waits until no list shows the record, neither that for the endpoint nor the whole one, which no read finds any more; true if one goes on showing it. */
export async function isGhost(context: CheckContext, { macAddress }: Endpoint, record: JsonObject): Promise<boolean> {
  const id = idOf(record);
  return !(await until(context, async () => {
    const listed = [await listedFor(context, macAddress), await listEntries(context, context.family.name)];
    const isListed = listed.some((entries) => entries?.some((entry) => idOf(entry) === id));
    return !isListed || id === undefined || !isNotFound(await context.send('read', { id }));
  }));
}
