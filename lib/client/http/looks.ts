import type { LimitFunction } from 'p-limit';
import type { Clock } from '../../clock.ts';
import { OPS } from '../../contract/operations.ts';
import { type HttpMethod, type Op, offers } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { FINAL_CODES, TargetError, UsageError } from '../../errors.ts';
import { jsonOf } from '../../json-text.ts';
import { isSuccess } from '../../wire/answer.ts';
import { pageOf } from '../../wire/list-walk.ts';
import { buildRequest, isDotSegment, type RequestInput, type RequestSpec } from '../../wire/request.ts';
import { policyIn } from '../safety/endpoints.ts';
import { type Closings, refusal, refuseWrite, type Write } from '../safety/guard.ts';
import { entryOf, withAskedId } from '../safety/record-identity.ts';
import { denies, type Registry } from '../safety/registry.ts';
import type { ClientOptions, ErsClient, Exchange, HeaderHabit, OwnRecord, ViewOptions } from '../types.ts';
import type { Delivered } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import { onceMore, type Vain } from './retries.ts';
import type { Transport } from './transport.ts';

export interface Core {
  readonly options: ClientOptions;
  readonly transport: Transport;
  readonly delivery: Delivery;
  readonly registry: Registry;
  readonly closings: Closings;
  readonly habits: Map<HttpMethod, HeaderHabit>;
  readonly bulkTurn: LimitFunction;
  readonly clock: Clock;
  /** A client that shares all of this. */
  readonly clientOf: (view: ViewOptions) => ErsClient;
  /** Milliseconds after a write during which looks at its family are put off. */
  unsteadyMs: number;
  readonly vain: Vain;
}

/** The request of an operation with the headers that the target takes. Throws `UsageError` for an id or name that fits no path. */
export function builtRequest({ options, habits }: Core, family: string, op: Op, input: RequestInput = {}): RequestSpec {
  const habit = habits.get(OPS[op].method);
  const dots = [input.id, input.name, input.bulkId].find(isDotSegment);
  if (dots !== undefined)
    throw new UsageError('not-sendable', `${op} on ${family} cannot be sent for "${dots}"`, {
      hint: 'a path cannot carry it: every program that reads an address cuts it out',
    });
  return buildRequest(options.table, family, op, { ...input, headers: { ...habit, ...input.headers } });
}

export function exchangeOf(request: RequestSpec, { id, answer, refusedAlone }: Delivered): Exchange {
  const { status, body, durationMs, cut } = answer;
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  const told = jsonOf(body);
  const json = isSuccess({ status, json: told }) ? withAskedId(request, told) : told;
  const first = refusedAlone && exchangeOf(request, refusedAlone);
  const more = { ...(cut ? { cut: true as const } : {}), ...defined({ refusedAlone: first }) };
  return { id, request, status, headers, body, json, durationMs, ...more };
}

export async function look(core: Core, request: RequestSpec, view: ViewOptions): Promise<Exchange> {
  const waitMs = core.registry.movedMs(request.family) + core.unsteadyMs - core.clock.monotonicMs();
  if (core.unsteadyMs > 0 && waitMs > 0 && request.op !== 'bulkMonitor') await core.clock.sleep(waitMs);
  const exchange = exchangeOf(request, await core.delivery.deliver(request, view));
  if (isSuccess(exchange)) core.registry.serves(request.family);
  core.registry.sees(exchange);
  // The target does the items of a bulk request while it is asked how far it is.
  if (request.op === 'bulkMonitor') core.registry.moves(request.family);
  return exchange;
}

async function lookByName(core: Core, { family, id, name }: OwnRecord, view: ViewOptions): Promise<void> {
  const { table } = core.options;
  if (name === undefined || !offers(table, family, 'list')) return;
  const equal = { field: 'name', operator: 'EQ', value: name } as const;
  const list = { size: 100, filters: table[family]?.filters.includes('name') ? [equal] : [] };
  const request = builtRequest(core, family, 'list', { list });
  const page = pageOf(await onceMore(core.vain, view)(() => look(core, request, view), 'list'));
  const item = page?.items.find((listed) => listed.id === id);
  if (item !== undefined) core.registry.records.listedAs(family, id, entryOf(item).name);
}

const LOOK_AGAIN_MS = 50;

/** Reads the record of a write, unless just proven to be of this run; a new one may show late. Throws `UsageError` without proof. */
async function prove(core: Core, named: string, id: string, view: ViewOptions, isSent: boolean): Promise<void> {
  const { records } = core.registry;
  const own = records.own(named, id);
  if (own === undefined) return;
  const { family } = own.record;
  const isProven = () => records.isProven(family, id);
  if (isProven()) return;
  const mayBeGone = own.standing === 'gone' || own.isProven || isSent;
  const quiet = { ...view, label: 'ownership' };
  const sinceMs = core.clock.monotonicMs();
  for (;;) {
    if (offers(core.options.table, family, 'read')) {
      const request = builtRequest(core, family, 'read', { id });
      const read = await onceMore(core.vain, view)(() => look(core, request, quiet), 'read');
      if (mayBeGone && denies(read, id)) return;
    }
    if (!isProven() && records.own(family, id) !== undefined) await lookByName(core, own.record, quiet);
    if (isProven()) return;
    if (records.own(family, id)?.standing !== 'claimed' || !core.registry.mayShowYet(sinceMs)) break;
    await core.clock.sleep(LOOK_AGAIN_MS);
    if (view.signal !== 'ignored') core.options.signal?.throwIfAborted();
  }
  const why = records.why(family, id) ?? 'no answer shows it under a name that this run sent';
  throw refusal(`a write to ${family} ${id}: ${why}`);
}

/** What endpoints hold by a look at each, as far as it is a policy of somebody else; one that cannot be read is not known to hold one. */
async function foreignHeld({ options, clientOf }: Core, endpoints: readonly string[], view: ViewOptions) {
  const { pool, policies = [] } = options;
  const foreign = new Map<string, string>();
  const client = clientOf({ ...view, label: 'ownership' });
  for (const address of endpoints) {
    const index = pool?.indexOf(address);
    if (pool === undefined || index === undefined) continue;
    const { macAddress } = pool.at(index);
    if (pool.wasFree?.(macAddress) === false) continue;
    const held = await pool.held?.(client, macAddress).catch((fault: unknown) => {
      if (!(fault instanceof TargetError) || FINAL_CODES.has(fault.code)) throw fault;
      return undefined;
    });
    if (held && !policies.includes(policyIn(policies, held))) foreign.set(address, held);
  }
  return foreign;
}

/**
 * Looks, just before a write goes out, if what it changes is still of the run: it may have waited for long since the last look, and
 * one that was sent before may have been done whatever its answer said. Throws `UsageError` if it is not.
 */
export async function stillOurs(core: Core, write: Write, view: ViewOptions, isSent: boolean): Promise<void> {
  const { options, registry } = core;
  const { records } = registry;
  if (write.kind === 'record' || write.kind === 'bulk')
    for (const { id } of write.kind === 'bulk' ? write.items : [write]) {
      if (id === undefined) continue;
      if (isSent && write.removes) records.deleted(write.family, 'delete', id, false);
      await prove(core, write.family, id, view, isSent);
    }
  const isAnc = write.kind === 'apply' || write.kind === 'clear';
  const foreign = isAnc && isSent ? await foreignHeld(core, write.endpoints, view) : undefined;
  const owns = (family: string, id: string) => records.own(family, id) !== undefined;
  // A look at one item may have shown that another one is not of this run.
  const foreignOn = (address: string) => foreign?.get(address) ?? registry.endpoints.foreignOn(address);
  const refused = refuseWrite(write, { ...options, owns, foreignOn });
  if (refused !== null) throw refused;
}
