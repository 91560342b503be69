import type { Family } from '../../../../lib/contract/types.ts';
import { pageOf } from '../../../../lib/wire/list-walk.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../../kit/check.ts';
import { CheckFailure } from '../../../kit/fault.ts';
import type { Value } from '../../../kit/list/value.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { mustAnswer } from '../filter/filter-cell.ts';
import { tooShort } from '../paging/paging.ts';
import { guardAgainstChurn, listGroup, scoped } from '../shared/list-group.ts';
import { queryText } from '../shared/shrink.ts';
import { explaining } from './collation.ts';
import {
  type Direction,
  expectOrder,
  judgedKeys,
  orderIn,
  readSorted,
  type SortCase,
  sortQuery,
} from './sort-order.ts';

const DIRECTIONS: readonly Direction[] = ['asc', 'dsc'];

const cells = (family: Family) =>
  family.sorts.flatMap((field) =>
    DIRECTIONS.map((direction) => ({
      name: `${field}.${direction}`,
      data: { field, direction },
      covers: { kind: 'sort' as const, cell: `${family.name}.${field}.${direction}` },
    })),
  );

/** The records that an order of the field is judged by. */
export async function sortCase(context: CheckContext, field: string): Promise<SortCase> {
  const group = await listGroup(context);
  return { group, field, population: await group.having(field) };
}

/** True where some record shows the field. */
export const isReadable = ({ population, field }: SortCase): boolean =>
  population.records.some(({ values }) => values[field] !== undefined);

/** The fault of a field that no record shows: its order cannot be seen. */
export const unreadable = (context: CheckContext, { field }: SortCase) =>
  tooLittle(context, {
    why: `no record shows ${field}: its order cannot be seen`,
    needs: `two records with different values of ${field}`,
  });

/** Where no record shows the field: the two directions are each other's reverse, or nothing can be said. */
async function byReversal(context: CheckContext, on: SortCase): Promise<undefined> {
  const [up, down] = await Promise.all([readSorted(on, 'asc'), readSorted(on, 'dsc')]);
  for (const result of [up, down]) {
    for (const exchange of result.exchanges.slice(0, 1)) context.evidence.add(exchange);
    mustAnswer(result, `a list sorted by ${on.field}`, `sort ${on.field}.${result === up ? 'asc' : 'dsc'}`);
  }
  const isReverse = up.ids.join() === [...down.ids].reverse().join();
  if (up.ids.length < 3 || !isReverse) {
    await guardAgainstChurn(on.group, on.population);
    throw tooLittle(context, {
      why: `no record shows ${on.field}, and the two directions are not each other's reverse`,
      needs: `two records with different values of ${on.field}`,
    });
  }
  context.observe('judged by', 'reversal alone: no record shows the field');
  context.witness('ordered keys', up.ids.length);
  return undefined;
}

/** Both directions follow the same collation: descending is ascending reversed on distinct keys. */
async function expectOneCollation(context: CheckContext, on: SortCase): Promise<void> {
  const [up, down] = await Promise.all([readSorted(on, 'asc'), readSorted(on, 'dsc')]);
  if (up.refused || down.refused) return;
  const ascending = judgedKeys(on, orderIn(on.population, up.ids));
  const descending = judgedKeys(on, orderIn(on.population, down.ids));
  const [one, other] = [explaining(ascending, false), explaining(descending, true)];
  if (one === undefined || other === undefined) return;
  if (explaining(descending, true, [one]) || explaining(ascending, false, [other])) return;
  for (const exchange of [...up.exchanges, ...down.exchanges]) context.evidence.add(exchange);
  await guardAgainstChurn(on.group, on.population);
  throw new CheckFailure({
    expected: `one order for both directions of ${on.field}`,
    observed: `${one.name} up and ${other.name} down`,
    about: { kind: 'value', operation: 'list', subject: `sort ${on.field}.dsc` },
  });
}

/** One result for each listed sort field and direction: the 36 cells. */
const sortField = checkOfEach<{ readonly field: string; readonly direction: Direction }>({
  id: 'sort/field',
  title: 'a sorted list holds the same records, in order',
  requirement: 'LST-SORT',
  level: 'stated',
  appliesTo: (family) => family.ops.includes('list') && family.sorts.length > 0,
  variants: cells,
  dependsOn: ['list/envelope', 'list/complete'],
  needs: 'read',
  run: async (context, { field, direction }) => {
    const on = await sortCase(context, field);
    if (!isReadable(on)) return byReversal(context, on);
    context.observe('collation', await expectOrder(context, on, direction));
    await expectOneCollation(context, on);
    return undefined;
  },
});

/** Page sizes at which a first page is held against the whole list. */
const PAGE_SIZES = [2, 3, 7] as const;

async function expectFirstPage(
  context: CheckContext,
  on: SortCase,
  whole: readonly Value[],
  direction: Direction,
  size: number,
) {
  const { group, population, field } = on;
  const query = sortQuery(field, direction, size);
  const subject = `sort ${field}.${direction}` as const;
  const exchange = await group.requester.list(scoped(group, population, query));
  context.evidence.add(exchange);
  const page = pageOf(exchange);
  if (page === undefined)
    throw new CheckFailure({
      expected: `a list for ${queryText(query)}`,
      observed: `status ${exchange.status} without one`,
      about: { kind: 'refused', operation: 'list', subject },
    });
  const byId = new Map(population.records.map((record) => [record.id, record.values[field]]));
  const keys = page.items.map(({ id }) => byId.get(id));
  const wanted = whole.slice(0, keys.length);
  if (sameKeys(keys, wanted)) return;
  await guardAgainstChurn(group, population);
  throw new CheckFailure({
    expected: `the first page of ${queryText(query)} to begin the whole sorted list: ${wanted.join(', ')}`,
    observed: `${keys.join(', ')}`,
    about: { kind: 'value', operation: 'list', subject },
  });
}

/** Ties are free: keys that differ only by case may change places. */
function sameKeys(keys: readonly (Value | undefined)[], wanted: readonly (Value | undefined)[]): boolean {
  return keys.every((key, index) => String(key).toLowerCase() === String(wanted[index]).toLowerCase());
}

/** Sorting is of the whole list, not of one page. */
const sortWholeList = checkOfEach<string>({
  id: 'sort/whole-list',
  title: 'the first page of a sorted list begins the whole sorted list',
  requirement: 'LST-SORT',
  level: 'stated',
  appliesTo: sortField.appliesTo,
  variants: (family) => family.sorts.map((field) => ({ name: field, data: field })),
  dependsOn: ['list/envelope', 'list/complete', 'paging/size'],
  needs: 'read',
  run: async (context, field): Promise<Outcome | undefined> => {
    const on = await sortCase(context, field);
    if (!isReadable(on)) throw unreadable(context, on);
    const byId = new Map(on.population.records.map((record) => [record.id, record.values[on.field]]));
    for (const direction of DIRECTIONS) {
      const result = await readSorted(on, direction);
      mustAnswer(result, queryText(sortQuery(on.field, direction)), `sort ${on.field}.${direction}`);
      const whole = result.ids.map((id) => byId.get(id)) as readonly Value[];
      if (whole.length <= PAGE_SIZES[0]) throw tooShort(context, on.group, whole.length, 'three');
      for (const size of PAGE_SIZES) await expectFirstPage(context, on, whole, direction, size);
      context.witness('records', whole.length);
    }
    return undefined;
  },
});

export const sortChecks: readonly Check[] = [sortField, sortWholeList];
