import type { LimitFunction } from 'p-limit';
import { OPS } from '../../contract/operations.ts';
import { type HttpMethod, hasOp, type Op } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import { answeredId, isSuccess } from '../../wire/answer.ts';
import { buildRequest, type RequestInput, type RequestSpec } from '../../wire/request.ts';
import { classifyWrite, refuseWrite, type Write } from '../safety/guard.ts';
import { noteStray } from '../safety/holdings.ts';
import type { Ledger } from '../safety/ledger.ts';
import { listEntries } from '../safety/list-entries.ts';
import type { Ownership } from '../safety/ownership.ts';
import { jsonOf, nameInBody } from '../safety/record-identity.ts';
import { recordInPath } from '../safety/record-path.ts';
import type { ClientOptions, Exchange, HeaderHabit, OwnRecord, ViewOptions } from '../types.ts';
import type { Delivered } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import type { Transport } from './transport.ts';

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** What every view of a client shares. */
export interface Core {
  readonly options: ClientOptions;
  readonly transport: Transport;
  readonly delivery: Delivery;
  readonly ledger: Ledger;
  readonly ownership: Ownership;
  /** Families that take no create, with the reason. */
  readonly closed: Map<string, string>;
  /** Headers that requests of a method carry unless the caller says otherwise. */
  readonly habits: Map<HttpMethod, HeaderHabit>;
  readonly bulkTurn: LimitFunction;
}

/** The request of an operation with the headers that the target is known to take. */
export function builtRequest({ options, habits }: Core, family: string, op: Op, input: RequestInput = {}): RequestSpec {
  const habit = habits.get(OPS[op].method);
  return buildRequest(options.table, family, op, { ...input, headers: { ...habit, ...input.headers } });
}

function exchangeOf(request: RequestSpec, { id, answer }: Delivered): Exchange {
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers) {
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return {
    id,
    request,
    status: answer.status,
    headers,
    body: answer.body,
    json: jsonOf(answer.body),
    durationMs: answer.durationMs,
    ...(answer.cut ? { cut: true } : {}),
  };
}

/** Journal entry before a write is sent. */
function intend(ledger: Ledger, write: Write, request: RequestSpec, name: string | undefined, covered: boolean): void {
  const { family, op: operation } = request;
  if (write.kind === 'apply' || write.kind === 'clear') {
    if (covered) return;
    for (const endpoint of write.endpoints) ledger.note('intent', { family, operation, endpoint });
    return;
  }
  const id = write.kind === 'record' ? { id: write.id } : {};
  ledger.note('intent', { family, operation, ...id, ...defined({ name }) });
}

/** A write under way: what it does, the name it sends, and when it was sent. */
interface Sending {
  readonly write: Write;
  readonly request: RequestSpec;
  readonly name: string | undefined;
  readonly moment: number;
  readonly covered: boolean;
}

/** Takes an id for that of a record of this run, unless something speaks against it; false where it does. */
export function claim(core: Core, family: string, op: Op, record: Omit<OwnRecord, 'family'>, moment?: number): boolean {
  const { id, name } = record;
  if (core.ownership.claim(family, id, name, moment) !== undefined) return false;
  core.ledger.addCreated(family, op, id, name);
  return true;
}

/** What the answer of a write (null: none came) means for what this run has on the target. */
function settle(core: Core, sending: Sending, answer: Exchange | null): void {
  const { ledger, ownership } = core;
  const { write, request, name, moment, covered } = sending;
  const { op: operation } = request;
  const accepted = answer !== null && isSuccess(answer);
  if (write.kind === 'create') {
    const id = accepted ? answeredId(answer) : undefined;
    const record = { id: id ?? '', ...defined({ name }) };
    // The id of a record that another create made says nothing about the one of this create.
    const known = id === undefined ? undefined : ledger.own(write.family, id);
    const isOther = known !== undefined && known.name !== name;
    const isTaken = id !== undefined && !isOther && claim(core, write.family, operation, record, moment);
    if (!isTaken) ledger.addUnresolved(write.family, name);
  } else if (write.kind === 'record') {
    if (write.removes && (accepted || answer?.status === 404)) {
      ledger.addRemoved(write.family, operation, write.id);
      ownership.removed(write.family, write.id);
    }
  } else if ((write.kind === 'apply' || write.kind === 'clear') && !covered) {
    for (const endpoint of write.endpoints) {
      // A refused apply may still have stored the policy, and one without an answer even more so.
      if (write.kind === 'apply') ledger.addApplied(endpoint, accepted);
      else if (accepted) ledger.addCleared(endpoint);
      if (accepted) {
        ledger.note(write.kind === 'apply' ? 'applied' : 'cleared', { family: write.family, operation, endpoint });
      }
    }
  }
}

const refusal = (what: string) =>
  new UsageError('refused-by-mode', `refused before it was sent: ${what}`, {
    hint: 'a run changes only records that it provably created',
  });

/** Sends a GET and takes in what it shows of records. */
async function look(core: Core, request: RequestSpec, view: ViewOptions): Promise<Exchange> {
  const exchange = exchangeOf(request, await core.delivery.deliver(request, view));
  core.ownership.sees(request.family, exchange);
  noteStray(core.options, core.ledger, exchange);
  const record = recordInPath(request.path);
  const isGone = GONE.has(exchange.status);
  if (record !== undefined && (isGone || isSuccess(exchange))) core.ledger.looked(record.family, record.id, isGone);
  return exchange;
}

/** Lists the records of a name, for a record that cannot be read. */
async function lookInList(core: Core, { family, id, name }: OwnRecord, view: ViewOptions): Promise<void> {
  const shape = core.options.table[family];
  if (name === undefined || shape === undefined || !hasOp(shape, 'list')) return;
  const filters = shape.filters.includes('name') ? [{ field: 'name', operator: 'EQ' as const, value: name }] : [];
  const list = { size: 100, filters };
  const exchange = await look(core, builtRequest(core, family, 'list', { list }), view);
  const entry = listEntries(exchange.json)?.find((listed) => listed.id === id);
  if (exchange.status === 200 && entry !== undefined) core.ownership.listed(family, entry);
}

/** Reads the record that a write names, unless it is proven already. Throws `UsageError` where it is not proven to be of this run. */
async function prove(core: Core, write: Extract<Write, { kind: 'record' }>, view: ViewOptions): Promise<void> {
  const { ledger, ownership, options } = core;
  const homes = [write.family, ...(options.table[write.family]?.viewOf ?? [])];
  const own = homes.map((home) => ledger.own(home, write.id)).find((record) => record !== undefined);
  if (own === undefined) return;
  const { family, id } = own;
  const standing = () => ownership.standing(family, id);
  if (standing() === 'proven') return;
  const wasRemoved = standing() === 'removed';
  const quiet = { ...view, label: 'ownership' };
  const shape = options.table[family];
  if (shape !== undefined && hasOp(shape, 'read')) {
    const read = await look(core, builtRequest(core, family, 'read', { id }), quiet);
    if (wasRemoved && GONE.has(read.status)) return;
  }
  if (standing() === 'claimed' || standing() === 'removed') await lookInList(core, own, quiet);
  if (standing() === 'proven') return;
  const why = ownership.stray(family, id)?.why ?? `no answer shows it under a name that this run sent`;
  throw refusal(`a write to ${family} ${id}: ${why}`);
}

/** Sends a request as far as the guard lets it, and keeps the books of what it does. */
export async function guarded(
  core: Core,
  request: RequestSpec,
  view: ViewOptions,
  givenName?: string,
): Promise<Exchange> {
  const { options, ledger, delivery } = core;
  const write = classifyWrite(request);
  if (write === null) return look(core, request, view);
  const { mode, pool, policies } = options;
  // A view shows records of other families: one that this run created stays its own when it is named through the view.
  const owns = (family: string, id: string) =>
    [family, ...(options.table[family]?.viewOf ?? [])].some((name) => ledger.own(name, id) !== undefined);
  const refused = refuseWrite(write, { mode, pool, policies, owns });
  if (refused !== null) throw refused;
  if (view.signal !== 'ignored') options.signal?.throwIfAborted();
  const closed = write.kind === 'create' || write.kind === 'bulk' ? core.closed.get(write.family) : undefined;
  if (closed !== undefined) throw refusal(`a create in ${request.family}: ${closed}`);
  if (write.kind === 'record') await prove(core, write, view);
  const covered = view.ancJournal === 'covered';
  const name = write.kind === 'create' ? (givenName ?? nameInBody(write.family, request.body)) : undefined;
  const deliver = async () => {
    intend(ledger, write, request, name, covered);
    await options.journalSynced?.();
    const moment = core.ownership.sends(request.family, request.body, name);
    let answer: Exchange | null = null;
    try {
      answer = exchangeOf(request, await delivery.deliver(request, view));
      return answer;
    } finally {
      settle(core, { write, request, name, moment, covered }, answer);
    }
  };
  return write.kind === 'bulk' ? core.bulkTurn(deliver) : deliver();
}
