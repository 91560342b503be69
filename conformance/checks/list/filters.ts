import { COMPARING, OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import { type Family, hasOp } from '../../../lib/contract/types.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { type FilterTypeSpelling, OR_SPELLINGS } from '../../../lib/wire/query.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { bindingOf, isPlain, kindOf } from '../../kit/list/value.ts';
import { joinLooks, operatorLooks, textLooks, widthLooks } from '../../plans/obvious/list-looks.ts';
import { wholeSize } from '../../plans/obvious/looks.ts';
import { population, populationWith, valuesOf } from '../../plans/obvious/population.ts';
import { isFiltered, onLists, onReads } from '../common.ts';
import { decide } from './decide.ts';

interface Cell {
  readonly field: string;
  readonly operator: Operator;
}

/** One result for each listed filter field and operator: the 190 cells. */
const filterOperator = checkOfEach<Cell>({
  ...onLists,
  id: 'filter/operator',
  title: 'a filter keeps the records that match, and no others',
  requirement: 'FOP-EQ',
  appliesTo: isFiltered,
  variants: (family) =>
    family.filters.flatMap((field) =>
      OPERATOR_NAMES.map((operator) => ({
        name: `${field}.${operator}`,
        data: { field, operator },
        requirement: `FOP-${operator}`,
        level: bindingOf(family, field, operator),
        covers: { kind: 'filter' as const, cell: `${family.name}.${field}.${operator}` },
      })),
    ),
  exercises: ['list'],
  async run(context, { field, operator }, { level }) {
    const on = await populationWith(context, field);
    const looks = operatorLooks(context.family, field, operator, wholeSize(context));
    const least =
      level === 'gap' ? { shown: 0 } : { absent: 1, needs: `two records with different values of ${field}` };
    await decide(context, on, { looks, isAbout: ({ subject }) => subject.startsWith('filter') }, least);
    if (level === 'gap') context.witness('asked', looks.length);
  },
});

const isInteger = (family: Family) => (field: string) => kindOf(family, field) === 'integer';

const numberOperands = checkOfEach<Cell>({
  ...onLists,
  id: 'filter/number-operands',
  title: 'a filter on a number keeps the right records around the limits of 8, 15, 16, 31 and 32 bits',
  requirement: 'FOP-EQ',
  appliesTo: (family) => hasOp(family, 'list') && family.filters.some(isInteger(family)),
  variants: (family) =>
    family.filters.filter(isInteger(family)).flatMap((field) =>
      COMPARING.map((operator) => ({
        name: `${field}.${operator}`,
        requirement: `FOP-${operator}`,
        data: { field, operator },
      })),
    ),
  async run(context, { field, operator }) {
    const on = await populationWith(context, field);
    const looks = widthLooks(field, operator, valuesOf(on, field).map(Number), wholeSize(context));
    // Whether an operand may lie outside the range of the field is not stated: a refusal decides nothing.
    const isAbout = ({ subject, kind }: { subject: string; kind: string }) =>
      kind !== 'refused' && subject.startsWith('filter');
    return decide(context, on, { looks, isAbout }, { shown: 0, told: 1 });
  },
});

/** Joined by OR in one of the spellings; undefined for the one that the target was found to take. */
async function joinsByOr(
  context: CheckContext,
  spellings: readonly (FilterTypeSpelling | undefined)[],
): Promise<undefined> {
  const on = await population(context);
  let last: unknown;
  for (const spelling of spellings) {
    const looks = joinLooks(context.family, 'or', wholeSize(context), spelling);
    try {
      return await decide(context, on, { looks, isAbout: ({ subject }) => subject === 'filters or' }, { absent: 1 });
    } catch (fault) {
      if (!(fault instanceof CheckFailure)) throw fault;
      last ??= fault;
    }
  }
  throw last;
}

const joinedByAnd = (id: Check['id'], title: string, requirement: string, isOwn: boolean): Check => ({
  ...onReads,
  ...{ id, title, requirement },
  appliesTo: isFiltered,
  dependsOn: ['list/envelope', 'list/complete', 'filter/operator', ...(isOwn ? [] : (['filter/default-and'] as const))],
  run: async (context) =>
    decide(
      context,
      await population(context),
      {
        looks: joinLooks(context.family, undefined, wholeSize(context)),
        isAbout: (told) => told.subject === 'filters and' && (told.requirement === 'LST-FTYPE') === isOwn,
      },
      { shown: 0, absent: 1 },
    ),
});

const typeSpelling: Check = {
  ...onReads,
  id: 'filter/type-spelling',
  title: 'filterType is read under its listed name',
  requirement: 'LST-FTYPE',
  appliesTo: isFiltered,
  dependsOn: ['filter/or'],
  async run(context) {
    const told = context.run.dialect('filter-type.spelling');
    context.observe('spelling', told);
    if (isObject(told) && told['name'] === 'filterType') {
      context.witness('spelling');
      return undefined;
    }
    // The spelling was found out in one family; another may read the listed one.
    const listed = OR_SPELLINGS.filter(
      ({ name, or }) => name === 'filterType' && (!isObject(told) || or === told['or']),
    );
    try {
      return await joinsByOr(context, listed);
    } catch (fault) {
      if (!(fault instanceof CheckFailure)) throw fault;
      throw new CheckFailure({ ...fault.facts, onlyIf: 'the parameter is named filterType, and not otherwise' });
    }
  },
};

const WILDCARDS = ['%', '_', '*'] as const;
const isWild = (text: string): boolean => WILDCARDS.some((sign) => text.includes(sign));
const isText = (family: Family) => (field: string) => kindOf(family, field) === 'text';

/** Records are found by texts with signs in them. */
function signs(
  id: Check['id'],
  title: string,
  requirement: string,
  {
    has,
    kind,
    operators,
  }: { readonly has: (text: string) => boolean; readonly kind: string; readonly operators: readonly Operator[] },
): Check {
  return {
    ...onReads,
    ...{ id, title, requirement },
    appliesTo: (family) => hasOp(family, 'list') && family.filters.some(isText(family)),
    dependsOn: ['list/envelope', 'list/complete', 'filter/operator'],
    async run(context) {
      const on = await population(context);
      const looks = textLooks(on, has, operators, wholeSize(context));
      const needs = `a record that holds ${kind} in a filter field`;
      if (looks.length === 0)
        return { verdict: 'not-testable', reason: `no readable record holds ${kind} in a filter field`, needs };
      return decide(context, on, { looks, isAbout: ({ subject }) => subject.startsWith('filter') }, { needs });
    },
  };
}

export const filterChecks: readonly Check[] = [
  filterOperator,
  numberOperands,
  joinedByAnd('filter/default-and', 'repeated filters without filterType are joined by AND', 'LST-FTYPE', true),
  joinedByAnd('filter/repeated', 'repeated filters are joined by AND, in any order', 'LST-FILT', false),
  {
    ...onReads,
    id: 'filter/or',
    title: 'repeated filters are joined by OR if filterType says so',
    requirement: 'LST-FTYPE',
    appliesTo: isFiltered,
    dependsOn: ['list/envelope', 'list/complete', 'filter/default-and', 'filter/repeated'],
    run: (context) =>
      joinsByOr(context, isObject(context.run.dialect('filter-type.spelling')) ? [undefined] : OR_SPELLINGS),
  },
  typeSpelling,
  signs('filter/dotted-value', 'a filter value with dots finds its records', 'LST-FILT', {
    ...{ has: (text) => text.includes('.'), kind: 'a dot', operators: ['EQ', 'STARTSW', 'ENDSW'] },
  }),
  signs('filter/encoded-value', 'a filter value that a URL encodes finds its records', 'LST-FILT', {
    has: (text) => !isPlain(text.replaceAll('.', '')) && !isWild(text),
    ...{ kind: 'a character that a URL encodes', operators: ['EQ', 'CONTAINS'] },
  }),
  signs(
    'filter/literal-value',
    'percent, underscore, star and dot are plain characters in a filter value',
    'FOP-CONTAINS',
    {
      ...{ has: isWild, kind: 'a sign that may stand for others', operators: ['CONTAINS', 'EQ', 'STARTSW', 'ENDSW'] },
    },
  ),
];
