import { type Field, fieldsOf, hasOp } from '../../../../lib/contract/types.ts';
import { UsageError } from '../../../../lib/errors.ts';
import { isSuccess } from '../../../../lib/wire/answer.ts';
import { enumeratedMembers, isServerFilled, nameMember, rangedMembers, rangeOf } from '../../../kit/fields.ts';
import { createdId } from '../../../kit/record/fixture.ts';
import { type Chronicle, freshFields, type Held } from './chronicle.ts';

/** A body with one member that its table rules out; undefined where the family shows no such member. */
function ruledOut({ world }: Chronicle): Readonly<Record<string, unknown>> | undefined {
  const { family } = world;
  const [listed] = enumeratedMembers(family);
  if (listed !== undefined) return { [listed]: 'CFM_NOT_LISTED' };
  const [ranged] = rangedMembers(family);
  const range = ranged === undefined ? undefined : rangeOf(fieldsOf(family)[ranged] as Field);
  if (ranged !== undefined && range !== undefined) return { [ranged]: range.high + 5 };
  const text = Object.entries(fieldsOf(family)).find(
    ([member, { type }]) =>
      type === 'string' && member !== 'id' && member !== nameMember(family) && !isServerFilled(family, member),
  );
  return text === undefined ? undefined : { [text[0]]: { cfm: 1 } };
}

/** Requests that no deployment can carry out: on ids that name nothing, and with bodies that the tables rule out. */
export type Refusal = 'update nothing' | 'delete nothing' | 'create wrong' | 'update wrong';
export const REFUSALS: readonly Refusal[] = ['update nothing', 'create wrong', 'delete nothing', 'update wrong'];

/** A write to a record that is gone; nothing where the guard of the client lets none through, because no answer shows it as ours. */
export async function unlessGuarded(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (fault) {
    if (!(fault instanceof UsageError)) throw fault;
  }
}

/** Sends such a request. What was refused must change nothing; of what was taken, nothing is known any more. */
export async function sendRefused(chronicle: Chronicle, kind: Refusal, one: Held): Promise<void> {
  const { world } = chronicle;
  const { scope, family, context } = world;
  // Writes go to records of this run alone: one that is gone names nothing.
  const id = [...chronicle.held.values()].findLast(({ isLive }) => !isLive)?.id ?? world.gone.at(-1);
  const wrong = ruledOut(chronicle);
  const fields = freshFields(chronicle);
  if (kind === 'delete nothing' || kind === 'update nothing') {
    const op = kind === 'update nothing' && hasOp(family, 'update') ? 'update' : 'delete';
    if (id !== undefined)
      await unlessGuarded(scope.send(op, { id, ...(op === 'update' ? { fields: { ...fields, id } } : {}) }));
    return;
  }
  if (wrong === undefined) return;
  if (kind === 'create wrong') {
    const answer = await scope.send('create', { fields: { ...fields, ...wrong } });
    const name = String(fields[nameMember(family) ?? 'name']);
    if (!isSuccess(answer)) return;
    const made = await createdId({ ...context, ...scope }, family.name, answer, name);
    if (made === undefined) return;
    context.ledger.adopt(family.name, made.id, name);
    chronicle.held.set(made.id, { id: made.id, name, fields: {}, form: 'json', isLive: true });
  } else if (kind === 'update wrong' && hasOp(family, 'update')) {
    const answer = await scope.send('update', {
      id: one.id,
      fields: { ...one.fields, ...fields, ...wrong, id: one.id },
    });
    if (isSuccess(answer)) chronicle.held.set(one.id, { ...one, fields: {} });
  }
}
