import { defined } from '../../../../lib/defined.ts';
import type { ListQuery } from '../../../../lib/wire/query.ts';
import type { CheckContext } from '../../../kit/check.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import type { Value } from '../../../kit/list/value.ts';
import type { Subject } from '../../../kit/subject.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { mustAnswer } from '../filter/filter-cell.ts';
import { failOnLists } from '../shared/list-failure.ts';
import { type ListGroup, scoped } from '../shared/list-group.ts';
import { type Population, shouldSuffice } from '../shared/population.ts';
import { differenceOf } from '../shared/relations.ts';
import { queryText } from '../shared/shrink.ts';
import { collationsFor, explaining, isJudged } from './collation.ts';

export type Direction = 'asc' | 'dsc';

/** A sort field of a family with the records whose order is judged. */
export interface SortCase {
  readonly group: ListGroup;
  readonly field: string;
  readonly population: Population;
}

export const sortQuery = (field: string, direction: Direction, size?: number): ListQuery => ({
  ...(direction === 'asc' ? { sortAsc: field } : { sortDsc: field }),
  ...defined({ size }),
});

/** The sorted list of the group's scope, read to its end. */
export function readSorted({ group, population, field }: SortCase, direction: Direction): Promise<ListResult> {
  return group.read(scoped(group, population, sortQuery(field, direction)));
}

/** Ids of the population in the order of the answer. */
export function orderIn(population: Population, ids: readonly string[]): readonly string[] {
  const known = new Set(population.records.map(({ id }) => id));
  return ids.filter((id) => known.has(id));
}

/** Keys, in order, that a collation can be held against. */
export function judgedKeys({ population, field }: SortCase, ids: readonly string[]): readonly Value[] {
  const byId = new Map(population.records.map((record) => [record.id, record.values[field]]));
  return ids.flatMap((id) => {
    const key = byId.get(id);
    return key !== undefined && isJudged(key) ? [key] : [];
  });
}

/** A sorted list that was asked for, in words and as a subject. */
interface Asked {
  readonly what: string;
  readonly subject: Subject;
}

/** Sorting keeps the records of the same query: none lost, none gained. */
async function expectPermutation(
  context: CheckContext,
  on: SortCase,
  result: ListResult,
  { what, subject }: Asked,
): Promise<void> {
  const plain = await on.group.read(scoped(on.group, on.population, {}));
  mustAnswer(plain, 'the unsorted list', 'list');
  const difference = differenceOf(new Set(plain.ids), new Set(result.ids));
  const repeated = result.ids.filter((id, index) => result.ids.indexOf(id) !== index);
  if (difference === undefined && repeated.length === 0) return;
  if (difference) for (const exchange of plain.exchanges.slice(0, 1)) context.evidence.add(exchange);
  const { missing, extra } = difference ?? { missing: [], extra: repeated };
  await failOnLists(context, on, [result], {
    expected: `${what} holds the records of the unsorted list once each`,
    observed: `${missing.length} missing, ${extra.length} too many`,
    ...{ subject, difference: { missing, extra } },
  });
}

/** Records without the field are equal to each other: they stand together, wherever that is. */
async function expectAbsentTogether(
  context: CheckContext,
  on: SortCase,
  result: ListResult,
  { what, subject }: Asked,
): Promise<void> {
  if (on.population.source !== 'own') return;
  const lacking = new Set(
    on.population.records.filter(({ values }) => values[on.field] === undefined).map(({ id }) => id),
  );
  const places = orderIn(on.population, result.ids).flatMap((id, index) => (lacking.has(id) ? [index] : []));
  const [first = 0] = places;
  if (places.every((place, index) => place === first + index)) return;
  await failOnLists(context, on, [result], {
    expected: `${what} keeps the records without ${on.field} together`,
    observed: `they stand at ${places.join(', ')}`,
    subject,
  });
}

/** Judges the order of one answer; gives the name of the collation that explains it. */
export async function expectOrder(context: CheckContext, on: SortCase, direction: Direction): Promise<string> {
  const asked: Asked = { what: queryText(sortQuery(on.field, direction)), subject: `sort ${on.field}.${direction}` };
  const { what, subject } = asked;
  const result = await readSorted(on, direction);
  for (const exchange of result.exchanges.slice(0, 1)) context.evidence.add(exchange);
  mustAnswer(result, what, subject);
  await expectPermutation(context, on, result, asked);
  await expectAbsentTogether(context, on, result, asked);
  const keys = judgedKeys(on, orderIn(on.population, result.ids));
  if (new Set(keys).size < 2) {
    throw tooLittle(context, {
      own: shouldSuffice(on.population),
      why: `fewer than two different values of ${on.field} are readable`,
      needs: `two records with different values of ${on.field}`,
    });
  }
  const collation = explaining(keys, direction === 'dsc');
  if (collation === undefined) {
    const allowed = collationsFor(keys).map(({ name }) => name);
    await failOnLists(context, on, [result], {
      expected: `${what} orders the records: ${allowed.join(' or ')}`,
      observed: `the order ${keys.slice(0, 12).join(', ')}`,
      subject,
    });
  }
  context.witness('ordered keys', new Set(keys).size);
  return collation?.name ?? '';
}
