import { OPS } from '../../../../lib/contract/operations.ts';
import { fieldsOf, hasOp } from '../../../../lib/contract/types.ts';
import { idOf, isSuccess, recordOf } from '../../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import { nameMember } from '../../../kit/fields.ts';
import type { World } from '../world/world.ts';
import { bringAboutAnc } from '../writes/anc.ts';
import { unlessGuarded } from '../writes/refusals.ts';

/** Last write before a round of looks. */
type State = 'none' | 'delete' | 'failed' | 'rename';

/** One round: every question once, after a certain write and beside certain things that a request may carry. */
export interface Round {
  readonly id: string;
  readonly after: State;
  /** What filters are asked for: a whole dense text, or a part of it. */
  readonly asks: 'whole' | 'part';
  /** Beside other filters, on pages of a size that does not hold the answer. */
  readonly pages?: true;
  /** Sorted, with a size, an unlisted parameter and the optional headers. */
  readonly laden?: true;
  /** With the optional headers. */
  readonly headers?: true;
}

/** The second round repeats the queries of the first: what is wrong every second time shows there. */
export const ROUNDS: readonly Round[] = [
  { id: 'first', after: 'none', asks: 'whole' },
  { id: 'again', after: 'delete', asks: 'whole', headers: true },
  { id: 'laden', after: 'failed', asks: 'part', laden: true },
  { id: 'paged', after: 'rename', asks: 'whole', pages: true },
];

/** Rounds of a deep run: the other states beside the other requests, and the first once more. */
export const DEEPER: readonly Round[] = [
  { id: 'laden after a delete', after: 'delete', asks: 'whole', laden: true },
  { id: 'paged after a refusal', after: 'failed', asks: 'part', pages: true },
  { id: 'plain after a refusal', after: 'failed', asks: 'whole' },
  { id: 'headers after a rename', after: 'rename', asks: 'part', headers: true },
  { id: 'paged after a delete', after: 'delete', asks: 'part', pages: true, headers: true },
  { id: 'last', after: 'none', asks: 'whole' },
];

/** Headers and parameters that a round's requests carry besides. */
export function ladenInput(round: Round, { carried }: World, op: keyof typeof OPS = 'list'): RequestInput {
  const takesAll = OPS[op].headers === 'all';
  const { headers, extra } = carried;
  return {
    ...((round.headers || round.laden) && takesAll ? { headers } : {}),
    ...(round.laden ? { extra } : {}),
  };
}

async function settle({ context, scope, family }: World, id: string, isThere: boolean): Promise<void> {
  await context.eventually(async () => {
    const answer = await scope.send('read', { id }, family.name);
    return (isSuccess(answer) && idOf(recordOf(answer)) === id) === isThere || undefined;
  });
}

/** Brings about the write that a round comes after, on a record of its own. */
export async function bringAbout(world: World, state: State, turn: number): Promise<void> {
  const { scope, family, start, context } = world;
  if (state === 'none' || world.records.length === 0) return;
  if (hasOp(family, 'apply')) return state === 'rename' ? undefined : bringAboutAnc(world, state);
  if (!hasOp(family, 'create') || !context.run.mayCreate()) return;
  const name = nameMember(family) ?? 'name';
  if (state === 'failed') {
    const id = world.gone.at(-1);
    if (id === undefined) return;
    const op = hasOp(family, 'update') ? 'update' : 'delete';
    await unlessGuarded(scope.send(op, { id, ...(op === 'update' ? { fields: { ...scope.payload(), id } } : {}) }));
    return;
  }
  const own = await scope.fixture({ [name]: `${start}${state}${turn}` });
  if (state === 'delete' && hasOp(family, 'delete')) {
    const answer = await scope.send('delete', { id: own.id });
    if (!isSuccess(answer)) {
      world.stayed.push(own.id);
      return;
    }
    await settle(world, own.id, false);
    world.gone.push(own.id);
  } else if (state === 'rename' && hasOp(family, 'update') && name in fieldsOf(family)) {
    const renamed = { ...own.sent, [name]: `${start}${state}${turn}r`, id: own.id };
    await scope.send('update', { id: own.id, fields: renamed });
    await settle(world, own.id, true);
  }
}
