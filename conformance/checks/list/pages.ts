import { isSuccess } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../kit/check.ts';
import { failure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { filteredPages, pageLooks, sortLook } from '../../plans/obvious/list-looks.ts';
import { type ListPlan, wholeSize } from '../../plans/obvious/looks.ts';
import { population, populationWith, undecided } from '../../plans/obvious/population.ts';
import { emptyPage } from '../../plans/obvious/relations.ts';
import { isFiltered, isSorted, onLists, onReads } from '../common.ts';
import { decide, isOfRecords } from './decide.ts';

const needs = 'a list of at least two records';

/** What pages hold, and not how much. */
const isOfPages: ListPlan['isAbout'] = (told) => isOfRecords(told) && told.requirement !== 'LST-SIZE';

/** Judges the walks of the family's list at several sizes, in one of the two ways to its pages. */
async function walks(
  context: CheckContext,
  paging: 'link' | 'number',
  sizes: readonly number[],
  isAbout: ListPlan['isAbout'] = isOfPages,
): Promise<undefined> {
  const on = await population(context);
  const { count } = on;
  if (count < 2) throw undecided(on, context, { why: `the list holds ${count} records: it has no second page`, needs });
  return decide(context, on, { looks: pageLooks(on.session.book.size, paging, sizes), isAbout }, { needs });
}

/** A refusal of several filters, which leads to no page: `filter/repeated` tells of it. */
const isRefusedAnd: ListPlan['isAbout'] = ({ kind, subject }) => kind === 'refused' && subject === 'filters and';

/** A plan whose differences break the requirement of the check: the plainer questions were answered well. */
const carriedOn = async (context: CheckContext, looks: ListPlan['looks']): Promise<undefined> => {
  const isAbout: ListPlan['isAbout'] = (told) => isOfRecords(told) && !isRefusedAnd(told);
  return decide(context, await population(context), { looks, isAbout, isOwn: true }, { needs });
};

async function pastTheEnd(context: CheckContext): Promise<Outcome> {
  const first = context.run.dialect('page.first');
  const page = (typeof first === 'number' ? first : 1) + 5_000;
  const exchange = await context.send('list', { list: { size: wholeSize(context), page } });
  const records = pageOf(exchange)?.items.length;
  const observed = records === undefined ? `status ${exchange.status}` : `a page of ${records} records`;
  context.observe('page past the end', { status: exchange.status, records: records ?? null });
  return {
    verdict: 'info',
    observed: isSuccess(exchange) || exchange.status < 500 ? observed : `${observed}, a server error`,
  };
}

export const pageChecks: readonly Check[] = [
  {
    ...onLists,
    id: 'paging/size',
    title: 'the first page holds as many records as its size says',
    requirement: 'LST-SIZE',
    exercises: ['list'],
    run: (context) => walks(context, 'link', [3], ({ requirement }) => requirement === 'LST-SIZE'),
  },
  {
    ...onLists,
    id: 'paging/next',
    title: 'a walk along nextPage.href reaches every record',
    requirement: 'LST-NEXT',
    exercises: ['list'],
    run: (context) => walks(context, 'link', [1, 2, 7]),
  },
  {
    ...onLists,
    id: 'paging/numbered',
    title: 'the numbered pages hold every record once',
    requirement: 'LST-PAGE',
    // A walk by numbers ends at the page that names no next one.
    dependsOn: ['list/envelope', 'list/complete', 'paging/size', 'paging/next'],
    exercises: ['list'],
    run: async (context) => {
      const first = context.run.dialect('page.first');
      if (typeof first === 'number') return walks(context, 'number', [7]);
      // Nor was it seen what begins the list instead: nothing was to be seen.
      if (!String(first).startsWith('neither'))
        throw new NotTestable(
          'it could not be told which number the first page has: nothing was listed, or in no order',
          needs,
        );
      const why = 'neither page 0 nor page 1 begins the list';
      const on = await population(context);
      throw on.count < 2 ? undecided(on, context, { why, needs }) : new Inconclusive(why);
    },
  },
  {
    ...onLists,
    id: 'paging/next-has-records',
    title: 'a page that nextPage leads to has records',
    requirement: 'LST-NEXT',
    level: 'implied',
    dependsOn: ['list/envelope', 'paging/size', 'paging/next'],
    async run(context) {
      const on = await population(context);
      const { empty, pages } = await emptyPage(on);
      if (empty !== undefined)
        throw failure('missing', 'list', 'pages', {
          expected: 'nextPage to lead to a page with records',
          observed: empty,
        });
      if (pages < 2) throw undecided(on, context, { why: 'no list has a second page', needs });
      context.witness('pages', pages);
    },
  },
  {
    ...onLists,
    id: 'paging/past-the-end',
    title: 'the run records the answer to a page past the end',
    requirement: 'G-13',
    level: 'gap',
    dependsOn: ['list/envelope'],
    run: pastTheEnd,
  },
];

export const nextChecks: readonly Check[] = [
  checkOfEach<string>({
    ...onReads,
    id: 'paging/next-keeps-sort',
    title: 'nextPage.href keeps the order and the size',
    requirement: 'LST-NEXT',
    appliesTo: isSorted,
    variants: (family) => family.sorts.map((field) => ({ name: field, data: field })),
    dependsOn: ['paging/size', 'paging/next', 'sort/field'],
    async run(context, field) {
      const on = await populationWith(context, field);
      const looks = [false, true].map((descending) => sortLook(field, descending, 4));
      return decide(context, on, { looks, isAbout: isOfRecords, isOwn: true });
    },
  }),
  {
    ...onReads,
    id: 'paging/next-keeps-filters',
    title: 'nextPage.href keeps the filters',
    requirement: 'LST-NEXT',
    appliesTo: isFiltered,
    dependsOn: ['paging/size', 'paging/next', 'filter/repeated'],
    run: (context) => carriedOn(context, filteredPages(context.family)),
  },
  {
    ...onReads,
    id: 'paging/next-keeps-join',
    title: 'nextPage.href keeps filterType',
    requirement: 'LST-NEXT',
    appliesTo: isFiltered,
    dependsOn: ['paging/size', 'paging/next', 'filter/or'],
    run: (context) => carriedOn(context, filteredPages(context.family, 'or')),
  },
];
