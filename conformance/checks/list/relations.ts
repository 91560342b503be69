import { NEGATIONS, type Operator } from '../../../lib/contract/list.ts';
import { type Check, type CheckContext, checkOfEach, notApplicable, type Outcome } from '../../kit/check.ts';
import { failure, Inconclusive, NotTestable, type Subject, tooLittle } from '../../kit/fault.ts';
import { bindingOf, kindOf, listedValues } from '../../kit/list/value.ts';
import { telling } from '../../kit/telling.ts';
import { sortLooks } from '../../plans/obvious/list-looks.ts';
import { compareTurnedLists, compareXmlLists } from '../../plans/obvious/list-ways.ts';
import { wholeSize } from '../../plans/obvious/looks.ts';
import { type Population, population, populationWith, valuesOf } from '../../plans/obvious/population.ts';
import { negationHolds, type Related, reverseHolds } from '../../plans/obvious/relations.ts';
import { isFiltered, isSorted, onLists, onReads } from '../common.ts';
import { decide, isOf } from './decide.ts';

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
export const sortField = checkOfEach<{ readonly field: string; readonly descending: boolean }>({
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
    return decide(context, on, { looks, isAbout: isOf('sort ') }, { shown: 2 });
  },
});

/** Fails with a contradiction; what could have been one is the witness. */
function mustAgree(context: CheckContext, { contradiction, compared, exchanges }: Related, subject: Subject): void {
  context.witness('compared', compared);
  if (contradiction === undefined) return;
  for (const exchange of telling(exchanges)) context.evidence.add(exchange);
  const { expected, ids } = contradiction;
  throw failure('records', 'list', subject, {
    ...{ expected, observed: `${ids.length} records contradict it` },
    difference: { missing: [], extra: ids },
  });
}

const POSITIVE = Object.fromEntries(
  Object.entries(NEGATIONS).map(([positive, negative]) => [negative, positive as Operator]),
) as Readonly<Partial<Record<Operator, Operator>>>;

async function negations(context: CheckContext, negative: Operator): Promise<undefined> {
  const { family } = context;
  const positive = POSITIVE[negative] as Operator;
  let why: Inconclusive | NotTestable | undefined;
  let asked = 0;
  for (const field of family.filters.filter((each) => bindingOf(family, each, negative) === 'stated')) {
    try {
      const on = await populationWith(context, field);
      mustAgree(context, await negationHolds(on, field, positive, wholeSize(context)), `filter ${field}.${negative}`);
      asked += 1;
    } catch (fault) {
      if (!(fault instanceof Inconclusive || fault instanceof NotTestable)) throw fault;
      why = fault;
    }
  }
  if (why !== undefined && asked === 0) throw why;
}

/** Both directions of a sort agree. If no order has to tell records apart, it is not applicable: the places of equal values are free. */
async function directionsAgree(context: CheckContext, field: string): Promise<Outcome | undefined> {
  const related = await reverseHolds(await populationWith(context, field), field, wholeSize(context));
  mustAgree(context, related, `sort ${field}.dsc`);
  const reason = `too few records are told apart by the letters and digits of ${field} alone`;
  return related.compared > 0 ? undefined : notApplicable(reason);
}

/** Answers compared with each other: a second detector, which does not ask the oracle. */
export const relationChecks: readonly Check[] = [
  checkOfEach<Operator>({
    ...onReads,
    id: 'filter/relations',
    title: 'an operator agrees with its negation over different values',
    requirement: 'FOP-EQ',
    appliesTo: isFiltered,
    variants: (family) =>
      Object.values(NEGATIONS)
        .filter((negative) => family.filters.some((field) => bindingOf(family, field, negative) === 'stated'))
        .map((negative) => ({ name: negative, data: negative, requirement: `FOP-${negative}` })),
    // Of two answers that contradict each other either may be wrong: that of the negation, if the other one is right.
    dependsOn: [
      'list/envelope',
      'list/complete',
      ...Object.keys(NEGATIONS).map((positive): Check['id'] => `filter/operator|.${positive}`),
    ],
    exercises: ['list'],
    run: negations,
  }),
  checkOfEach<string>({
    ...onLists,
    id: 'sort/relations',
    title: 'the sorted lists of one query are each other turned round',
    requirement: 'LST-SORT',
    appliesTo: isSorted,
    // Of values that many records share, no order is turned round.
    variants: (family) =>
      family.sorts.filter((field) => listedValues(family, field) === undefined && kindOf(family, field) !== 'boolean'),
    // Not sort/field: this one sees the same mistakes by another way.
    exercises: ['list'],
    run: directionsAgree,
  }),
];

/** What is wrong of a list as it is usually asked for is told by that. */
const otherwise = {
  ...onLists,
  dependsOn: ['list/envelope', 'list/complete', 'sort/field', 'filter/operator', 'paging/next'],
} as const satisfies Partial<Check>;

/** Lists in XML: their form is not shown, and what they are asked for holds for them as for any list. */
export const otherWays: readonly Check[] = [
  {
    ...otherwise,
    id: 'xml/list-queries',
    title: 'a list in XML has the records, the order and the pages of the same list in JSON',
    requirement: 'OP-{family}-L',
    run: compareXmlLists,
  },
  {
    ...otherwise,
    id: 'query/order',
    title: 'the parameters of a list mean the same in any order',
    requirement: 'LST-FILT',
    run: compareTurnedLists,
  },
];
