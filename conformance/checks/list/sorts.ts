import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { sortLooks } from '../../plans/obvious/list-looks.ts';
import { wholeSize } from '../../plans/obvious/looks.ts';
import { type Population, population, populationWith, valuesOf } from '../../plans/obvious/population.ts';
import { reverseHolds } from '../../plans/obvious/relations.ts';
import { isSorted, onLists } from '../common.ts';
import { decide } from './decide.ts';

/** If no record shows the field: the two directions are each other's reverse, or nothing can be said. */
async function byReversal(context: CheckContext, on: Population, field: string): Promise<void> {
  const { contradiction, compared } = await reverseHolds(on, field, wholeSize(context));
  if (contradiction !== undefined || compared < 3)
    throw tooLittle(context, {
      why: `no record shows ${field}, and the two directions are not each other's reverse`,
      needs: `two records with different values of ${field}`,
    });
  context.observe('judged by', 'reversal alone: no record shows the field');
}

/** One result for each listed sort field and direction: the 36 cells. */
export const sortChecks: readonly Check[] = [
  checkOfEach<{ readonly field: string; readonly descending: boolean }>({
    ...onLists,
    id: 'sort/field',
    title: 'a sorted list holds the same records, in order',
    requirement: 'LST-SORT',
    appliesTo: isSorted,
    variants: (family) =>
      family.sorts.flatMap((field) =>
        (['asc', 'dsc'] as const).map((direction) => ({
          name: `${field}.${direction}`,
          data: { field, descending: direction === 'dsc' },
          covers: { kind: 'sort' as const, cell: `${family.name}.${field}.${direction}` },
        })),
      ),
    async run(context, { field, descending }) {
      const on = await population(context, field);
      if (valuesOf(on, field).length === 0) await byReversal(context, on, field);
      else await populationWith(context, field);
      const looks = sortLooks(context.family, field, descending, wholeSize(context));
      return decide(context, on, { looks, isAbout: ({ subject }) => subject.startsWith('sort ') }, { shown: 2 });
    },
  }),
];
