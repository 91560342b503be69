import { hasOp } from '../../../lib/contract/types.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { failure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { filteredPages, pageLooks, sortedPages } from '../../plans/obvious/list-looks.ts';
import { LONG_LIST, longLooks, longPopulation } from '../../plans/obvious/long-list.ts';
import type { ListPlan } from '../../plans/obvious/looks.ts';
import { population, populationWith, undecided } from '../../plans/obvious/population.ts';
import { emptyPage } from '../../plans/obvious/relations.ts';
import { isFiltered, isSorted, onLists, onReads, onRecords } from '../common.ts';
import { decide, isOfPages, isOfRecords, looked } from './decide.ts';

const needs = 'a list of at least two records';

/** Judges walks of the list at several sizes, in one of the two ways to its pages. */
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

/** What breaks the requirement of the check: the plainer questions were answered well, and `filter/default-and` tells of refused filters. */
const carriedOn = (looks: (context: CheckContext) => ListPlan['looks']): Check['run'] =>
  looked(
    (context) => ({
      looks: looks(context),
      isAbout: (told) => isOfPages(told) && !(told.kind === 'refused' && told.subject === 'filters and'),
      isOwn: true,
    }),
    { needs },
  );

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
    // A small size that is wrong is told here: `paging/size` tries one.
    run: (context) => walks(context, 'link', [1, 2, 7], isOfRecords),
  },
  {
    ...onLists,
    id: 'paging/numbered',
    title: 'the numbered pages hold every record once',
    requirement: 'LST-PAGE',
    // A walk by numbers ends at the page that names no next one.
    dependsOn: ['list/envelope', 'list/complete', 'paging/size', 'paging/next'],
    exercises: ['list'],
    async run(context) {
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
      const expected = 'nextPage to lead to a page with records';
      if (empty !== undefined) throw failure('missing', 'list', 'pages', { expected, observed: empty });
      if (pages < 2) throw undecided(on, context, { why: 'no list has a second page', needs });
      context.witness('pages', pages);
    },
  },
];

export const nextChecks: readonly Check[] = [
  checkOfEach<string>({
    ...onReads,
    id: 'paging/next-keeps-sort',
    title: 'nextPage.href keeps the order and the size',
    requirement: 'LST-NEXT',
    appliesTo: isSorted,
    variants: (family) => family.sorts,
    dependsOn: ['paging/size', 'paging/next', 'sort/field'],
    async run(context, field) {
      const on = await populationWith(context, field);
      // A refusal says nothing of pages: a target may want longer operands of the filter.
      const isAbout: ListPlan['isAbout'] = (told) => isOfRecords(told) && told.kind !== 'refused';
      return decide(context, on, { looks: sortedPages(context.family, field), isAbout, isOwn: true });
    },
  }),
  {
    ...onReads,
    id: 'paging/next-keeps-filters',
    title: 'nextPage.href keeps the filters',
    requirement: 'LST-NEXT',
    appliesTo: isFiltered,
    dependsOn: ['paging/size', 'paging/next', 'filter/default-and'],
    run: carriedOn(({ family }) => filteredPages(family)),
  },
  {
    ...onReads,
    id: 'paging/next-keeps-join',
    title: 'nextPage.href keeps filterType',
    requirement: 'LST-NEXT',
    appliesTo: isFiltered,
    dependsOn: ['paging/size', 'paging/next', 'filter/or'],
    run: carriedOn(({ family }) => filteredPages(family, 'or')),
  },
];

export const longList: Check = {
  ...onRecords,
  id: 'paging/long-list',
  title: 'a list of more than 100 records is whole, however it is filtered, sorted and cut into pages',
  requirement: 'LST-NEXT',
  depth: 'normal',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list') && hasOp(family, 'delete'),
  // What is wrong of a short list too is told by it.
  dependsOn: [
    ...(['record/create', 'list/envelope', 'paging/size', 'paging/next', 'sort/field', 'filter/operator'] as const),
    ...(['paging/next-keeps-sort', 'paging/next-keeps-filters'] as const),
  ],
  async run(context) {
    const on = await longPopulation(context);
    return decide(context, on, { looks: longLooks(context), isAbout: isOfRecords }, { shown: LONG_LIST });
  },
};
