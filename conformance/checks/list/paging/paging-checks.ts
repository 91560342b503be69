import { counted } from '../../../../lib/numbers.ts';
import { isSuccess } from '../../../../lib/wire/answer.ts';
import { pageOf, walkOf } from '../../../../lib/wire/list-walk.ts';
import type { Check, CheckContext, Outcome } from '../../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import type { ListPage } from '../../../kit/list/list-reader.ts';
import { mustAnswer } from '../filter/filter-cell.ts';
import { guardAgainstChurn, scoped } from '../shared/list-group.ts';
import {
  expectUnion,
  failPaging,
  firstNumber,
  type PagingCase,
  pagingCase,
  readAt,
  sizesOf,
  tooShort,
} from './paging.ts';

/** Sizes that every target's limit allows. */
const SMALL_SIZES = [1, 2, 3, 7] as const;

async function firstPage(context: CheckContext, { group }: PagingCase, size: number): Promise<ListPage> {
  const exchange = await group.requester.list(scoped(group, group.population, { size }));
  context.evidence.add(exchange);
  const page = pageOf(exchange);
  if (page === undefined)
    throw new CheckFailure({
      expected: `a list for size=${size}`,
      observed: `status ${exchange.status} without one`,
      about: { kind: 'refused', operation: 'list', subject: 'pages' },
    });
  return page;
}

async function sizeHolds(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of SMALL_SIZES.filter((each) => each <= on.whole.length)) {
    const page = await firstPage(context, on, size);
    if (page.items.length !== size) {
      await guardAgainstChurn(on.group);
      throw new CheckFailure({
        expected: `size=${size} on a list of ${on.whole.length} gives ${size} records on its first page`,
        observed: counted(page.items.length, 'record'),
        about: { kind: 'value', operation: 'list', subject: 'pages' },
      });
    }
    context.witness('records', page.items.length);
  }
  return undefined;
}

async function numberedPages(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  const first = await firstNumber(context, on);
  if (first === undefined) throw new Inconclusive('neither page 0 nor page 1 begins the list');
  if (on.whole.length < 3) throw tooShort(context, on.group, on.whole.length, 'three');
  for (const size of sizesOf(on).filter((each) => each > 1 && each < on.whole.length)) {
    const pages: ListPage[] = [];
    for (let number = 0; number * size < on.whole.length; number += 1) {
      const query = { size, page: first + number };
      const exchange = await on.group.requester.list(scoped(on.group, on.group.population, query));
      const page = pageOf(exchange);
      if (page === undefined) {
        context.evidence.add(exchange);
        await guardAgainstChurn(on.group);
        throw new CheckFailure({
          expected: `page ${query.page} of ${Math.ceil(on.whole.length / size)} at size=${size}`,
          observed: `status ${exchange.status}`,
          about: { kind: 'refused', operation: 'list', subject: 'pages' },
        });
      }
      pages.push(page);
    }
    const numbered = walkOf(pages);
    // A list that never shows its last record is a fault of the list's end, not of its page numbers.
    if (numbered.ids.join() === on.whole.slice(0, -1).join()) {
      throw new Inconclusive(`the last record is on no page at size=${size}; paging/next judges that`);
    }
    await expectUnion(context, on, numbered, { size });
    context.witness('pages', pages.length);
  }
  return undefined;
}

async function nextReadsAll(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of sizesOf(on)) {
    const result = await readAt(on, size);
    if (result.refused !== undefined && result.pages.length > 0) {
      await failPaging(context, on, result, {
        expected: `nextPage.href at size=${size} leads to a page`,
        observed: `status ${result.refused.status} after ${counted(result.pages.length, 'page')}`,
      });
    }
    mustAnswer(result, `size=${size} and its next pages`, 'pages');
    if (result.cut === 'loop') {
      await failPaging(context, on, result, {
        expected: `nextPage.href at size=${size} leads on`,
        observed: `an address that was given before, after ${counted(result.pages.length, 'page')}`,
      });
    }
    await expectUnion(context, on, result, { size });
    context.witness('pages', result.pages.length);
    if (size === 1) for (const { exchange } of result.pages.slice(0, 2)) context.evidence.add(exchange);
  }
  return undefined;
}

async function fullPages(context: CheckContext): Promise<undefined> {
  const on = await pagingCase(context);
  for (const size of sizesOf(on).filter((each) => each < on.whole.length)) {
    const result = await readAt(on, size);
    mustAnswer(result, `size=${size} and its next pages`, 'pages');
    const lengths = result.pages.map(({ items }) => items.length);
    while (lengths.at(-1) === 0) lengths.pop();
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
  for (const size of sizesOf(on)) {
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

async function pastTheEnd(context: CheckContext): Promise<Outcome> {
  const on = await pagingCase(context);
  const first = (await firstNumber(context, on)) ?? 1;
  const query = scoped(on.group, on.group.population, { size: on.whole.length, page: first + 5 });
  const exchange = await on.group.requester.list(query);
  context.evidence.add(exchange);
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
    title: 'the first page holds as many records as its size says',
    requirement: 'LST-SIZE',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'list/complete'],
    run: sizeHolds,
  },
  {
    ...onLists,
    id: 'paging/numbered',
    title: 'the numbered pages hold every record once',
    requirement: 'LST-PAGE',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'list/complete', 'paging/size'],
    run: numberedPages,
  },
  {
    ...onLists,
    id: 'paging/next',
    title: 'a walk along nextPage.href reaches every record',
    requirement: 'LST-NEXT',
    appliesTo: lists,
    // Not the numbered pages: links are another way to the same records.
    dependsOn: ['list/envelope', 'list/complete'],
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
    title: 'a page that nextPage leads to has records',
    requirement: 'LST-NEXT',
    level: 'implied',
    appliesTo: lists,
    dependsOn: ['list/envelope', 'paging/size', 'paging/numbered'],
    run: nextNeverEmpty,
  },
  {
    ...onLists,
    id: 'paging/past-the-end',
    title: 'the run records the answer to a page past the end',
    requirement: 'G-13',
    level: 'gap',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    run: pastTheEnd,
  },
];
