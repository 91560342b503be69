import type { ErsClient, Exchange } from '../../../lib/client/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { nameMember, rangedMembers, referenceOf, sentFields } from '../../kit/fields.ts';
import { type FamilyTrial, type Learned, memberKey } from '../../kit/values/learned.ts';
import { createForms } from './create-forms.ts';
import { learnDomain } from './text-domain.ts';
import { tryUpdate } from './try-update.ts';
import { isAboutCaller, type TriedCreate, tryCreate, tryRemove } from './try-write.ts';
import { unsteadyMs } from './unsteady.ts';

/** What a first try in one family needs. */
export interface TrialDeps {
  readonly context: CheckContext;
  readonly client: ErsClient;
  readonly learned: Learned;
  readonly clock: Clock;
  /** How long a write may take to show. */
  readonly visibilityMs: number;
  /** A record to start from, given by the operator. */
  readonly template?: JsonObject | undefined;
}

interface Tried extends FamilyTrial {
  readonly own?: Fixture;
}

/** Tries one form after the other until one is taken. */
async function firstTaken({ context, client, learned, template }: TrialDeps): Promise<Tried> {
  const { name } = context.family;
  const refused: { source: string; exchange: Exchange }[] = [];
  let copyRefused: Exchange | undefined;
  for await (const { isCopy, ...form } of createForms(context, template)) {
    learned.families.set(name, { form, refused });
    let tried: TriedCreate = await tryCreate(context, client);
    // A number that was drawn may be in use, and a fault of the server may pass.
    const mayPass = tried.exchange.status >= 500 || rangedMembers(context.family).length > 0;
    if (!isSuccess(tried.exchange) && !isAboutCaller(tried.exchange) && mayPass)
      tried = await tryCreate(context, client);
    if (isSuccess(tried.exchange)) return { form, refused, ...defined({ own: tried.own }) };
    refused.push({ source: form.source, exchange: tried.exchange });
    if (isCopy) copyRefused ??= tried.exchange;
    if (isAboutCaller(tried.exchange)) break;
  }
  return { refused, ...defined({ copyRefused }) };
}

/** Names that a family takes of which no update changes one: each is asked by a create, and removed at once. */
async function learnNames({ context, client, learned }: TrialDeps): Promise<void> {
  const { family } = context;
  const member = nameMember(family);
  if (member === undefined) return;
  const before = String(context.payload()[member] ?? '').length;
  const domain = await learnDomain(async (text) => {
    const name = `${String(context.payload()[member])}${text}`;
    const { exchange, own } = await tryCreate(context, client, { [member]: name });
    if (own !== undefined) await tryRemove(context, client, own);
    return isSuccess(exchange);
  }, before);
  if (domain !== undefined) learned.domains.set(memberKey(family.name, member), domain);
}

/** Whether two records may point at one other. */
async function learnReferences({ context, client, learned }: TrialDeps): Promise<void> {
  const { family, table } = context;
  for (const [member] of sentFields(family, 'create')) {
    if (referenceOf(table, family, member) === undefined) continue;
    const one = await tryCreate(context, client);
    if (one.own === undefined) return;
    const same = { [member]: one.own.sent[member] };
    const other = await tryCreate(context, client, same);
    if (other.own !== undefined) await tryRemove(context, client, other.own);
    await tryRemove(context, client, one.own);
    // Refused beside the first record and taken after it was removed: then the first record was the reason.
    if (isSuccess(other.exchange)) continue;
    const again = await tryCreate(context, client, same);
    if (again.own === undefined) continue;
    await tryRemove(context, client, again.own);
    learned.uniqueReferences.add(memberKey(family.name, member));
  }
}

/**
 * The first writes to a family, before any other: one create, a read, an update, a delete, and the proof that the record is
 * gone. What cannot be removed again ends the creates of the family at that one record.
 */
export async function tryFamily(deps: TrialDeps): Promise<FamilyTrial> {
  const { context, client, learned } = deps;
  const { family } = context;
  const { own, ...taken } = await firstTaken(deps);
  learned.families.set(family.name, taken);
  if (own === undefined) return taken;
  learned.unsteadyMs ||= await unsteadyMs(deps, own);
  client.waitToLook(learned.unsteadyMs);
  const updateRefused = hasOp(family, 'update') ? await tryUpdate(context, learned, own) : undefined;
  const kept = hasOp(family, 'delete') ? await tryRemove(context, client, own) : undefined;
  const trial: FamilyTrial = { ...taken, ...defined({ updateRefused, kept }) };
  learned.families.set(family.name, trial);
  if (kept !== undefined) {
    client.refuseCreates(family.name, `a first record could not be removed again: ${kept.why}`);
    return trial;
  }
  if (!hasOp(family, 'update') && hasOp(family, 'delete')) await learnNames(deps);
  await learnReferences(deps);
  return trial;
}
