import type { RequestInput } from '../../../../lib/wire/request.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../../kit/check.ts';
import { Inconclusive } from '../../../kit/fault.ts';
import { isPlain } from '../../../kit/list/fragments.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { workingSpelling } from '../filter/negated-pair.ts';
import { type ListGroup, scoped } from '../shared/list-group.ts';
import { type Population, shouldSuffice } from '../shared/population.ts';
import { queryText } from '../shared/shrink.ts';
import { judgedKeys, readSorted, sortQuery } from '../sort/sort-order.ts';
import { expectUnion, failPaging, pagingCase } from './paging.ts';

/** Small enough for three pages of the records that a family's list checks have. */
const PAGE = 6;

async function nextKeepsSort(context: CheckContext, field: string): Promise<Outcome | undefined> {
  const on = await pagingCase(context);
  const population = await on.group.having(field);
  const sort = { group: on.group, field, population };
  for (const direction of ['asc', 'dsc'] as const) {
    const query = sortQuery(field, direction, PAGE);
    const paged = await on.group.read(scoped(on.group, population, query));
    const whole = await readSorted(sort, direction);
    const texts = [paged, whole].map(({ ids }) =>
      judgedKeys(sort, ids)
        .map((key) => String(key).toLowerCase())
        .join(),
    );
    if (texts[0] !== texts[1]) {
      await failPaging(context, on, paged, {
        expected: `the pages of ${queryText(query)} continue the order of the first`,
        observed: `the order ${texts[0]} in place of ${texts[1]}`,
      });
    }
    const lengths = paged.pages.map(({ items }) => items.length);
    if (lengths.slice(0, -1).some((length) => length !== lengths[0])) {
      const observed = `pages of ${lengths.join(', ')}`;
      await failPaging(context, on, paged, { expected: `the pages of ${queryText(query)} keep their size`, observed });
    }
    context.witness('pages', paged.pages.length);
  }
  return undefined;
}

/** The field whose values tell most records apart, with two of its values. */
function tellingField(
  context: CheckContext,
  population: Population,
): readonly [field: string, one: string, other: string] {
  const distinct = (field: string) => [
    ...new Set(
      population.records.flatMap(({ values }) => (values[field] === undefined ? [] : [String(values[field])])),
    ),
  ];
  const [best] = context.family.filters
    .map((field) => ({ field, values: distinct(field) }))
    .sort((a, b) => b.values.length - a.values.length);
  const [one, other, third] = best?.values.filter(isPlain) ?? [];
  if (best === undefined || one === undefined || other === undefined || third === undefined) {
    throw tooLittle(context, {
      own: shouldSuffice(population),
      why: 'no three records with different values are readable',
      needs: 'three records with different values in the filter fields',
    });
  }
  return [best.field, one, other];
}

async function expectSamePages(
  context: CheckContext,
  group: ListGroup,
  input: RequestInput,
  size: number,
): Promise<void> {
  const whole = await group.read(input);
  const query = { ...input.list, size };
  const paged = await group.read({ ...input, list: query });
  if (whole.refused !== undefined || whole.ids.length <= size)
    throw new Inconclusive('the filters keep too few records for a second page');
  for (const exchange of paged.exchanges.slice(0, 2)) context.evidence.add(exchange);
  await expectUnion(context, { group, whole: whole.ids }, paged, query);
  context.witness('pages', paged.pages.length);
}

async function nextKeepsFilters(context: CheckContext): Promise<undefined> {
  const { group } = await pagingCase(context);
  const { population } = group;
  const [field, one, other] = tellingField(context, population);
  const excluding = (values: readonly string[]) =>
    scoped(group, population, { filters: values.map((value) => ({ field, operator: 'NEQ', value })) });
  const two = await group.read(excluding([one, other]));
  // On a list of three, two exclusions leave no second page: the second filter then repeats the first.
  const values = two.ids.length > 1 ? [one, other] : [one, one];
  // Excludes nothing, and reads as a filter that keeps nothing where a link does not encode it.
  const odd = excluding([...values, `${one}&filter=${field}.EQ.${one}`]);
  const isTaken = (await group.read(odd)).refused === undefined;
  const input = isTaken ? odd : excluding(values);
  const { ids } = await group.read(input);
  await expectSamePages(context, group, input, Math.max(1, Math.min(7, Math.ceil(ids.length / 2))));
  return undefined;
}

async function nextKeepsJoin(context: CheckContext): Promise<undefined> {
  const { group } = await pagingCase(context);
  const [field, one, other] = tellingField(context, group.population);
  const filterType = await workingSpelling(context);
  if (filterType === undefined) throw new Inconclusive('no spelling joins by OR');
  const filters = [one, other].map((value) => ({ field, operator: 'EQ' as const, value }));
  await expectSamePages(context, group, { list: { filters, join: 'or' }, filterType }, 1);
  return undefined;
}

const onLists = { level: 'stated', needs: 'read' } as const;

/** What nextPage.href has to carry on: the order, the filters and how they are joined. */
export const nextChecks: readonly Check[] = [
  checkOfEach({
    ...onLists,
    id: 'paging/next-keeps-sort',
    title: 'nextPage.href keeps the order and the size',
    requirement: 'LST-NEXT',
    appliesTo: (family) => family.ops.includes('list') && family.sorts.length > 0,
    variants: (family) => family.sorts.map((field) => ({ name: field, data: field })),
    dependsOn: ['paging/next', 'sort/field'],
    run: nextKeepsSort,
  }),
  {
    ...onLists,
    id: 'paging/next-keeps-filters',
    title: 'nextPage.href keeps the filters',
    requirement: 'LST-NEXT',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
    dependsOn: ['paging/next', 'filter/repeated'],
    run: nextKeepsFilters,
  },
  {
    ...onLists,
    id: 'paging/next-keeps-join',
    title: 'nextPage.href keeps filterType',
    requirement: 'LST-NEXT',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
    dependsOn: ['paging/next', 'filter/or'],
    run: nextKeepsJoin,
  },
];
