import { type Check, type CheckContext, CheckFailure, Inconclusive, type Outcome } from '../check.ts';
import { mustAnswer } from './filter-cell.ts';
import { guardAgainstChurn, scoped } from './list-group.ts';
import { isSuccess, type ListPage, pageOf, resultOf } from './list-reader.ts';
import { expectUnion, failPaging, type PagingCase, pagingCase, readAt, walkSizes } from './paging.ts';
import { queryText } from './shrink.ts';
import { judgedKeys, readSorted, sortQuery } from './sort-order.ts';

/** Sizes that every target's limit allows. */
const SMALL_SIZES = [1, 2, 3, 7] as const;

async function firstPage(context: CheckContext, { group }: PagingCase, size: number): Promise<ListPage> {
  const exchange = await group.requester.list(scoped(group, group.population, { size }));
  context.keep(exchange);
  const page = pageOf(exchange);
  if (page === undefined) throw new CheckFailure(`a list for size=${size}`, `status ${exchange.status} without one`);
  return page;
}

async function sizeHolds(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of SMALL_SIZES.filter((each) => each <= on.whole.length)) {
    const page = await firstPage(context, on, size);
    if (page.items.length !== size) {
      await guardAgainstChurn(on.group);
      throw new CheckFailure(
        `size=${size} on a list of ${on.whole.length} gives ${size} records on its first page`,
        `${page.items.length} records`,
      );
    }
    context.witness('records', page.items.length);
  }
  return undefined;
}

/** Number of the first page: what the probe found, else whichever of 0 and 1 begins the list. */
async function firstNumber(context: CheckContext, on: PagingCase): Promise<number | undefined> {
  const told = context.dialect('page.first');
  if (told === 0 || told === 1) return told;
  for (const page of [1, 0]) {
    const answer = pageOf(await on.group.requester.list(scoped(on.group, on.group.population, { size: 1, page })));
    if (answer?.items[0]?.id === on.whole[0]) return page;
  }
  return undefined;
}

async function numberedPages(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  const first = await firstNumber(context, on);
  if (first === undefined) throw new Inconclusive('neither page 0 nor page 1 begins the list');
  for (const size of walkSizes(on.whole.length).filter((each) => each > 1 && each < on.whole.length)) {
    const pages: ListPage[] = [];
    for (let number = 0; number * size < on.whole.length; number += 1) {
      const query = { size, page: first + number };
      const exchange = await on.group.requester.list(scoped(on.group, on.group.population, query));
      const page = pageOf(exchange);
      if (page === undefined) {
        context.keep(exchange);
        await guardAgainstChurn(on.group);
        throw new CheckFailure(
          `page ${query.page} of ${Math.ceil(on.whole.length / size)} at size=${size}`,
          `status ${exchange.status}`,
        );
      }
      pages.push(page);
    }
    await expectUnion(context, on, resultOf(pages), { size });
    context.witness('pages', pages.length);
  }
  return undefined;
}

async function nextReadsAll(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of walkSizes(on.whole.length)) {
    const result = await readAt(on, size);
    mustAnswer(result, `size=${size} and its next pages`);
    if (result.cut === 'loop') {
      await failPaging(context, on, result, {
        expected: `nextPage.href at size=${size} leads on`,
        observed: `an address that was given before, after ${result.pages.length} pages`,
      });
    }
    await expectUnion(context, on, result, { size });
    context.witness('pages', result.pages.length);
    if (size === 1) for (const { exchange } of result.pages.slice(0, 2)) context.keep(exchange);
  }
  return undefined;
}

async function fullPages(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of walkSizes(on.whole.length).filter((each) => each < on.whole.length)) {
    const result = await readAt(on, size);
    mustAnswer(result, `size=${size} and its next pages`);
    const lengths = result.pages.map(({ items }) => items.length);
    const short = lengths.slice(0, -1).some((length) => length !== lengths[0]);
    if (short || lengths.some((length) => length > size)) {
      await failPaging(context, on, result, {
        expected: `every page of size=${size} but the last holds the same number, ${size} at most`,
        observed: `pages of ${lengths.join(', ')}`,
      });
    }
    context.witness('pages', lengths.length);
  }
  return undefined;
}

async function nextNeverEmpty(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of walkSizes(on.whole.length)) {
    const result = await readAt(on, size);
    const empty = result.pages.findIndex(({ items }, index) => index > 0 && items.length === 0);
    if (empty > 0 || (result.refused !== undefined && result.pages.length > 0)) {
      await failPaging(context, on, result, {
        expected: `nextPage at size=${size} leads to a page with records`,
        observed: empty > 0 ? `page ${empty + 1} is empty` : `status ${result.refused?.status}`,
      });
    }
    if (result.pages.length > 1) context.witness('pages', result.pages.length);
  }
  return undefined;
}

async function nextKeepsSort(context: CheckContext, field: string): Promise<Outcome | undefined> {
  const on = await pagingCase(context);
  const population = await on.group.having(field);
  const sort = { group: on.group, field, population };
  for (const direction of ['asc', 'dsc'] as const) {
    const query = sortQuery(field, direction, 3);
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

async function nextKeepsJoin(context: CheckContext): Promise<Outcome | undefined> {
  const on = await pagingCase(context);
  const [a, b, ...rest] = on.group.population.records.filter(
    ({ values }) => values[context.family.filters[0] ?? ''] !== undefined,
  );
  const field = context.family.filters.find(
    (each) => a?.values[each] !== undefined && a.values[each] !== b?.values[each],
  );
  if (a === undefined || b === undefined || field === undefined || rest.length === 0) {
    throw new Inconclusive('no three records with different values are readable');
  }
  const filters = [a, b].map(({ values }) => ({ field, operator: 'EQ' as const, value: String(values[field]) }));
  const filterType = context.dialect('filter-type.spelling') as
    | { readonly name: string; readonly or: string }
    | undefined;
  const spelled = filterType?.name === undefined ? {} : { filterType };
  const query = { filters, join: 'or' as const };
  const whole = await on.group.read({ list: query, ...spelled });
  const paged = await on.group.read({ list: { ...query, size: 1 }, ...spelled });
  if (whole.refused !== undefined || whole.ids.length < 2)
    throw new Inconclusive('two filters joined by OR keep fewer than two records');
  const expected = { group: on.group, whole: whole.ids };
  await expectUnion(context, expected, paged, { ...query, size: 1 });
  for (const exchange of paged.exchanges.slice(0, 2)) context.keep(exchange);
  context.witness('pages', paged.pages.length);
  return undefined;
}

async function pastTheEnd(context: CheckContext): Promise<Outcome> {
  const on = await pagingCase(context);
  const first = (await firstNumber(context, on)) ?? 1;
  const query = scoped(on.group, on.group.population, { size: on.whole.length, page: first + 5 });
  const exchange = await on.group.requester.list(query);
  context.keep(exchange);
  const page = pageOf(exchange);
  const observed = page === undefined ? `status ${exchange.status}` : `a page of ${page.items.length} records`;
  context.observe('page past the end', { status: exchange.status, records: page?.items.length ?? null });
  return {
    verdict: 'info',
    observed: isSuccess(exchange) || exchange.status < 500 ? observed : `${observed}, a server error`,
  };
}

const onLists = { level: 'stated', needs: 'read', exercises: ['list'] } as const;
const lists: Check['appliesTo'] = (family) => family.ops.includes('list');

export const pagingChecks: readonly Check[] = [
  {
    ...onLists,
    id: 'paging/size',
    title: 'the first page holds as many records as size asks for',
    requirement: 'LST-SIZE',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'list/complete'],
    run: sizeHolds,
  },
  {
    ...onLists,
    id: 'paging/numbered',
    title: 'the numbered pages together hold every record once',
    requirement: 'LST-PAGE',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'list/complete', 'paging/size'],
    run: numberedPages,
  },
  {
    ...onLists,
    id: 'paging/next',
    title: 'following nextPage.href reads every record once and comes to an end',
    requirement: 'LST-NEXT',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'list/complete', 'paging/size', 'paging/numbered'],
    run: nextReadsAll,
  },
  {
    ...onLists,
    id: 'paging/full-pages',
    title: 'every page but the last is full',
    requirement: 'LST-SIZE',
    appliesTo: lists,
    dependsOn: ['paging/next'],
    run: fullPages,
  },
  {
    ...onLists,
    id: 'paging/next-has-records',
    title: 'a page that nextPage leads to holds records',
    requirement: 'LST-NEXT',
    level: 'implied',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'paging/size', 'paging/numbered'],
    run: nextNeverEmpty,
  },
  {
    ...onLists,
    id: 'paging/next-keeps-sort',
    title: 'nextPage.href goes on with the order and the size of the first page',
    requirement: 'LST-NEXT',
    appliesTo: (family) => family.ops.includes('list') && family.sorts.length > 0,
    variants: (family) => family.sorts.map((field) => ({ name: field })),
    dependsOn: ['paging/next', 'sort/field', 'sort/whole-list'],
    run: (context, variant) => nextKeepsSort(context, variant?.name ?? ''),
  },
  {
    ...onLists,
    id: 'paging/next-keeps-join',
    title: 'nextPage.href goes on with every filter and with filterType',
    requirement: 'LST-NEXT',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
    dependsOn: ['paging/next', 'filter/or'],
    run: nextKeepsJoin,
  },
  {
    ...onLists,
    id: 'paging/past-the-end',
    title: 'what a page past the end is answered with is recorded',
    requirement: 'G-13',
    level: 'gap',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    run: pastTheEnd,
  },
];
