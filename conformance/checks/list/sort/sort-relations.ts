import type { CheckContext } from '../../../kit/check.ts';
import { folded } from '../../../kit/list/predicate.ts';
import type { Value } from '../../../kit/list/value.ts';
import { ask, fieldCase } from '../filter/filter-cell.ts';
import { answersOf } from '../filter/relation-checks.ts';
import { amongValues } from '../shared/answer-relations.ts';
import { failOnLists } from '../shared/list-failure.ts';
import { differenceOf } from '../shared/relations.ts';
import { judgedKeys, orderIn, readSorted, type SortCase } from './sort-order.ts';

/** Ids whose key no other record shares, signs and case aside: the places of equal keys are free, and some orders disregard signs. */
function distinct(on: SortCase, ids: readonly string[]): readonly string[] {
  const byId = new Map(on.population.records.map((record) => [record.id, record.values[on.field]]));
  const spelled = (value: Value | undefined) =>
    value === undefined ? '' : folded(String(value), 'insensitive').replace(/[^\p{L}\p{N}]/gu, '');
  const times = new Map<string, number>();
  for (const value of byId.values()) times.set(spelled(value), (times.get(spelled(value)) ?? 0) + 1);
  return orderIn(on.population, ids).filter(
    (id) => judgedKeys(on, [id]).length === 1 && times.get(spelled(byId.get(id))) === 1,
  );
}

/** One direction is the other turned round, on keys that differ. */
export async function expectReverse(context: CheckContext, on: SortCase): Promise<void> {
  const [up, down] = [await readSorted(on, 'asc'), await readSorted(on, 'dsc')];
  if (up.refused || down.refused) return;
  const [rising, falling] = [distinct(on, up.ids), [...distinct(on, down.ids)].reverse()];
  if (rising.length < 2) return;
  const at = rising.findIndex((id, index) => falling[index] !== id);
  // Records that one of the two lists lacks are the matter of another relation.
  if (differenceOf(new Set(rising), new Set(falling)) === undefined && at >= 0) {
    await failOnLists(context, on, [up, down], {
      expected: `sortdsc=${on.field} to be sortasc=${on.field} turned round on the ${rising.length} values that differ`,
      observed: `they part at place ${at + 1}`,
      subject: `sort ${on.field}.dsc`,
      difference: { missing: [rising[at] ?? ''], extra: [falling[at] ?? ''] },
    });
  }
  context.witness('turned round', rising.length);
}

/** However a list is sorted, it holds the same records. */
export async function expectSameRecords(context: CheckContext, on: SortCase, fields: readonly string[]): Promise<void> {
  const mine = await readSorted(on, 'asc');
  if (mine.refused) return;
  for (const [field, direction] of [
    [on.field, 'dsc'] as const,
    ...fields.filter((each) => each !== on.field).map((each) => [each, 'asc'] as const),
  ]) {
    const other = await readSorted({ ...on, field }, direction);
    if (other.refused) continue;
    // The other list may lack records too: then its own variant says so.
    const missing = other.ids.filter((id) => !mine.ids.includes(id));
    if (missing.length > 0) {
      await failOnLists(context, on, [mine, other], {
        expected: `sortasc=${on.field} to hold the records that the same list sorted ${direction} by ${field} holds`,
        observed: `${missing.length} of ${other.ids.length} are missing`,
        subject: `sort ${on.field}.asc`,
        difference: { missing, extra: [] },
      });
    }
    context.witness('records', other.ids.length);
  }
}

/** What is greater than a number stands after the rest of an ascending list; no number is compared here, the target does it. */
export async function expectOrderOfFilter(context: CheckContext, on: SortCase): Promise<void> {
  const filter = await fieldCase(context, on.group, on.field);
  const up = await readSorted(on, 'asc');
  if (up.refused) return;
  const having = new Set(filter.having.map(({ id }) => id));
  const order = orderIn(on.population, up.ids).filter((id) => having.has(id));
  const answers = await answersOf(
    filter,
    'GT',
    new Set(filter.having.map((record) => String(record.values[on.field]))),
  );
  // A filter that contradicts itself proves nothing of the sort: filter/relations judges it.
  if (amongValues('GT', answers).broken !== undefined) return;
  for (const [value, greater] of answers) {
    if (greater.size === 0 || greater.size === order.length) continue;
    const before = order.slice(0, order.length - greater.size).filter((id) => greater.has(id));
    if (before.length > 0) {
      await failOnLists(context, on, [up, await ask(filter, 'GT', value)], {
        expected: `sortasc=${on.field} to end with the ${greater.size} records that filter=${on.field}.GT.${value} keeps`,
        observed: `${before.length} of them stand before others`,
        subject: `sort ${on.field}.asc`,
        difference: { missing: [], extra: before },
      });
    }
    context.witness('split by GT');
  }
}
