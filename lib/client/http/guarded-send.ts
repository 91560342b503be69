import { defined } from '../../defined.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { createdIdOf, isDone, isNotFound, isSuccess, isUndone } from '../../wire/answer.ts';
import type { RequestSpec } from '../../wire/request.ts';
import { classifyWrite, type Intent, refusal, type Write } from '../safety/guard.ts';
import { lookedNow } from '../safety/proof.ts';
import { isUsableId, nameIn, recordInPath } from '../safety/record-identity.ts';
import type { Registry } from '../safety/registry.ts';
import type { Exchange, ViewOptions } from '../types.ts';
import { type Core, exchangeOf, look, stillOurs } from './looks.ts';

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
  { registry, delivery, options, closings }: Core,
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
    // What no path can name, nobody can remove: one is enough.
    if (id !== undefined && !isUsableId(id)) closings.refuse(write.family, `no path names the record ${id}`);
    // The id of a record that another create made says nothing about the one of this create.
    const known = id === undefined ? undefined : records.own(write.family, id)?.record;
    const isOther = known !== undefined && known.name !== name && records.standing(write.family, known.id) !== 'gone';
    const isTaken = id !== undefined && !isOther && records.claim(write.family, operation, id, name, moment);
    if (isTaken && name !== undefined) registry.answers(write.family, name);
    const { location = '' } = accepted && !isTaken ? answer.headers : {};
    const elsewhere = recordInPath(location.slice(location.indexOf('/ers/')));
    if (elsewhere !== undefined) records.tells(write.family, elsewhere);
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
    const isAbsent = answer !== null && isNotFound(answer);
    // A read said so before the delete was sent.
    if (write.removes && isAbsent && records.own(write.family, write.id)?.isShownGone)
      records.gone(write.family, write.id);
    if (write.removes) records.deleted(write.family, operation, write.id, accepted || isAbsent, { isAbsent });
    else records.changed(write.family, write.id);
    // An update that comes late may make a record anew that is gone by then.
    if (!write.removes && isOpen) registry.givesUp(write.family);
  } else if (write.kind === 'bulk') {
    // Whether an item was done, and under which id, only a look tells.
    for (const item of write.items) {
      if (write.removes && item.id !== undefined)
        records.deleted(write.family, operation, item.id, false, { isTakenIn: accepted });
      else if (item.id !== undefined) records.changed(write.family, item.id);
      else if (item.name !== undefined) {
        records.addUnresolved(write.family, item.name);
        if (accepted) registry.takesIn(write.family, item.name);
      }
    }
  } else if ((write.kind === 'apply' || write.kind === 'clear') && !covered) {
    for (const endpoint of write.endpoints) {
      // A refused apply may still have stored the policy, and one without an answer even more so.
      if (write.kind === 'apply') endpoints.apply(endpoint, accepted);
      else if (accepted) endpoints.clear(endpoint);
      else if (!isOpen) endpoints.keeps(endpoint);
      if (isOpen) endpoints.awaits(endpoint, write.kind);
      if (!accepted) continue;
      note(write.kind === 'apply' ? 'applied' : 'cleared', { family: write.family, operation, endpoint });
    }
  }
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
  const { options, registry, delivery, clock } = core;
  const { records } = registry;
  const write = withId(registry, classifyWrite(request, intent));
  if (write === null) return look(core, request, view);
  if (view.signal !== 'ignored') options.signal?.throwIfAborted();
  await stillOurs(core, write, view, false);
  const isProven = lookedNow(clock);
  const beforeSend = async (isSent: boolean) => {
    if (isSent || !isProven()) await stillOurs(core, write, { ...view, inSlot: true }, isSent);
  };
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
      answer = exchangeOf(request, await delivery.deliver(request, { ...view, beforeSend }));
      return answer;
    } finally {
      registry.moves(request.family);
      // A write that was held back on its way did nothing.
      if (delivery.wasSent(request)) settle(core, sending, moment, answer);
    }
  };
  return write.kind === 'bulk' ? core.bulkTurn(deliver) : deliver();
}
