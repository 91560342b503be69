import type { LimitFunction } from 'p-limit';
import type { Clock } from '../../clock.ts';
import { OPS } from '../../contract/operations.ts';
import { type HttpMethod, type Op, offers } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import { jsonOf } from '../../json-text.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { createdIdOf, isDone, isNotFound, isSuccess, isUndone } from '../../wire/answer.ts';
import { pageOf } from '../../wire/list-walk.ts';
import { buildRequest, isDotSegment, type RequestInput, type RequestSpec } from '../../wire/request.ts';
import { type Closings, classifyWrite, type Intent, refusal, refuseWrite, type Write } from '../safety/guard.ts';
import { entryOf, nameIn, withAskedId } from '../safety/record-identity.ts';
import { denies, type Registry } from '../safety/registry.ts';
import type { ClientOptions, Exchange, HeaderHabit, OwnRecord, ViewOptions } from '../types.ts';
import type { Delivered } from './attempt.ts';
import type { Delivery } from './delivery.ts';
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
  /** Milliseconds after a write during which looks at its family are put off. */
  unsteadyMs: number;
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

function exchangeOf(request: RequestSpec, { id, answer }: Delivered): Exchange {
  const { status, body, durationMs, cut } = answer;
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  const told = jsonOf(body);
  const json = isSuccess({ status, json: told }) ? withAskedId(request, told) : told;
  return { id, request, status, headers, body, json, durationMs, ...(cut ? { cut: true } : {}) };
}

interface Sending {
  readonly write: Write;
  readonly request: RequestSpec;
  readonly name: string | undefined;
  readonly covered: boolean;
}

/** What a write is about, thing by thing, as the journal names it. */
function subjectsOf({ write, name, covered }: Sending): readonly Pick<JournalEntry, 'id' | 'name' | 'endpoint'>[] {
  if (write.kind === 'apply' || write.kind === 'clear')
    return covered ? [] : write.endpoints.map((endpoint) => ({ endpoint }));
  if (write.kind === 'bulk' && write.items.length > 0) return write.items;
  return [defined({ id: write.kind === 'record' ? write.id : undefined, name })];
}

/** Puts a write into the journal, on the disk. Without a disk the clean-up goes on: what it takes off is in the journal already. */
async function journaled({ registry, options }: Core, sending: Sending, view: ViewOptions): Promise<void> {
  const { write, request } = sending;
  const isCleanup = view.signal === 'ignored' && (write.kind === 'clear' || (write.kind === 'record' && write.removes));
  try {
    for (const subject of subjectsOf(sending))
      registry.note('intent', { family: request.family, operation: request.op, ...subject });
    await options.journalSynced?.();
  } catch (fault) {
    if (!isCleanup) throw fault;
  }
}

/** What the answer of a write (null: none came) means for what this run has on the target. */
function settle(
  { registry, delivery, options }: Core,
  { write, request, name, covered }: Sending,
  moment: number,
  answer: Exchange | null,
): void {
  const { records, endpoints, note } = registry;
  const { op: operation } = request;
  const accepted = answer !== null && isSuccess(answer);
  if (accepted) registry.serves(request.family);
  // A bulk request is taken in (202), and its monitor tells; 503 says that another one is under way.
  const isUsual = write.kind === 'bulk' && (accepted || answer?.status === 503);
  const isOpen = answer === null ? delivery.isUnanswered(request) : !isDone(answer) && !isUndone(answer) && !isUsual;
  if (isOpen && (write.kind === 'bulk' || covered)) registry.givesUp(request.family);
  if (write.kind === 'create') {
    const id = accepted ? createdIdOf(answer, options.table[request.family], name) : undefined;
    // The id of a record that another create made says nothing about the one of this create.
    const known = id === undefined ? undefined : records.own(write.family, id)?.record;
    const isOther = known !== undefined && known.name !== name && records.standing(write.family, known.id) !== 'gone';
    const isTaken = id !== undefined && !isOther && records.claim(write.family, operation, id, name, moment);
    // A create is refused for a name that a record of the run bore: nothing was made.
    const isBorne = () => records.owned().some((one) => one.family === write.family && one.name === name);
    const isRefused = name !== undefined && answer !== null && isUndone(answer) && isBorne();
    if (!isTaken && name !== undefined) records.addUnresolved(write.family, name, isRefused);
    if (isOpen || (accepted && !isTaken)) registry.givesUp(write.family, name);
    // Without a name, what it may have made is found only as something that came.
    const mayBeDone = name === undefined ? accepted || isOpen : accepted && !isOpen;
    if (!isTaken && mayBeDone) registry.acknowledges(write.family, name);
    if (isRefused) note('refused', { family: write.family, operation, name });
  } else if (write.kind === 'record') {
    // Another delete may be in the way of this one.
    if (write.removes && (isOpen || answer?.status === 409)) registry.givesUp(write.family, write.id);
    if (write.removes)
      records.deleted(write.family, operation, write.id, accepted || (answer !== null && isNotFound(answer)));
    else records.changed(write.family, write.id);
    // An update that comes late may make a record anew that is gone by then.
    if (!write.removes && isOpen) registry.givesUp(write.family);
  } else if (write.kind === 'bulk') {
    // Whether an item was done, and under which id, only a look tells.
    for (const item of write.items) {
      if (write.removes && item.id !== undefined) records.deleted(write.family, operation, item.id, false);
      else if (item.id !== undefined) records.changed(write.family, item.id);
      else if (item.name !== undefined) {
        records.addUnresolved(write.family, item.name);
        if (accepted) registry.givesUp(write.family, item.name);
      }
    }
  } else if ((write.kind === 'apply' || write.kind === 'clear') && !covered) {
    for (const endpoint of write.endpoints) {
      // A refused apply may still have stored the policy, and one without an answer even more so.
      if (write.kind === 'apply') endpoints.apply(endpoint, accepted);
      else if (accepted) endpoints.clear(endpoint);
      if (isOpen) endpoints.awaits(endpoint, write.kind);
      if (!accepted) continue;
      note(write.kind === 'apply' ? 'applied' : 'cleared', { family: write.family, operation, endpoint });
    }
  }
}

async function look(core: Core, request: RequestSpec, view: ViewOptions): Promise<Exchange> {
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
  const page = pageOf(await look(core, builtRequest(core, family, 'list', { list }), view));
  const item = page?.items.find((listed) => listed.id === id);
  if (item !== undefined) core.registry.records.listedAs(family, id, entryOf(item).name);
}

const LOOK_AGAIN_MS = 50;

/** Reads the record of a write, unless just proven to be of this run; a new one may show late. Throws `UsageError` without proof. */
async function prove(core: Core, named: string, id: string, view: ViewOptions): Promise<void> {
  const { records } = core.registry;
  const own = records.own(named, id);
  if (own === undefined) return;
  const { family } = own.record;
  const isProven = () => records.isProven(family, id);
  if (isProven()) return;
  const mayBeGone = own.standing === 'gone' || own.isProven;
  const quiet = { ...view, label: 'ownership' };
  const sinceMs = core.clock.monotonicMs();
  for (;;) {
    if (offers(core.options.table, family, 'read')) {
      const read = await look(core, builtRequest(core, family, 'read', { id }), quiet);
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

/** A write by name is one to the record of this run that bears the name, if there is exactly one. */
function withId({ records }: Registry, write: Write | null): Write | null {
  if (write?.kind !== 'named') return write;
  const { family, name, removes } = write;
  const [own, ...others] = records.created().filter((record) => record.family === family && record.name === name);
  return own === undefined || others.length > 0 ? write : { kind: 'record', family, id: own.id, removes };
}

/** Sends a request as far as the guard lets it, and keeps the books of what it does. */
export async function guarded(
  core: Core,
  request: RequestSpec,
  view: ViewOptions,
  intent: Intent = {},
): Promise<Exchange> {
  const { options, registry, delivery } = core;
  const { records } = registry;
  const write = withId(registry, classifyWrite(request, intent));
  if (write === null) return look(core, request, view);
  const owns = (family: string, id: string) => records.own(family, id) !== undefined;
  if (view.signal !== 'ignored') options.signal?.throwIfAborted();
  if (write.kind === 'record') await prove(core, write.family, write.id, view);
  if (write.kind === 'bulk')
    for (const { id } of write.items) if (id !== undefined) await prove(core, write.family, id, view);
  // A look at one item may have shown that another one is not of this run.
  const refused = refuseWrite(write, { ...options, owns, foreignOn: registry.endpoints.foreignOn });
  if (refused !== null) throw refused;
  const closed = core.closings.against(request.family, write);
  if (closed !== undefined) throw refusal(closed);
  const bodies = [intent.bulk?.records ?? intent.fields ?? []].flat();
  const name = write.kind === 'create' ? nameIn(write.family, intent.fields) || undefined : undefined;
  const sending: Sending = { write, request, name, covered: view.ancJournal === 'covered' };
  const deliver = async () => {
    await journaled(core, sending, view);
    const moment = records.sends(request.family, bodies);
    let answer: Exchange | null = null;
    registry.moves(request.family);
    intent.onSend?.();
    try {
      answer = exchangeOf(request, await delivery.deliver(request, view));
      return answer;
    } finally {
      registry.moves(request.family);
      // A write that was held back on its way did nothing.
      if (delivery.wasSent(request)) settle(core, sending, moment, answer);
    }
  };
  return write.kind === 'bulk' ? core.bulkTurn(deliver) : deliver();
}
