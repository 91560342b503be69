import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { type FilterTypeSpelling, OR_SPELLINGS } from '../../../lib/wire/query.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { bindingOf } from '../../kit/list/value.ts';
import { joinLooks, operatorLooks } from '../../plans/obvious/list-looks.ts';
import { wholeSize } from '../../plans/obvious/looks.ts';
import { population, populationWith } from '../../plans/obvious/population.ts';
import { isFiltered, onLists, onReads } from '../common.ts';
import { decide, isOf, looked } from './decide.ts';

/** One result for each listed filter field and operator: the 190 cells. */
const filterOperator = checkOfEach({
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
    await decide(context, on, { looks, isAbout: isOf('filter') }, least);
    if (level === 'gap') context.witness('asked', looks.length);
  },
});

/** Joined by OR in one of the spellings; undefined for the one that the target was found to take. */
async function joinsByOr(context: CheckContext, spellings: readonly (FilterTypeSpelling | undefined)[]) {
  const on = await population(context);
  let last: unknown;
  for (const spelling of spellings) {
    const looks = joinLooks(context.family, 'or', wholeSize(context), spelling);
    try {
      return await decide(context, on, { looks, isAbout: isOf('filters or') }, { absent: 1, parted: 1 });
    } catch (fault) {
      if (!(fault instanceof CheckFailure)) throw fault;
      last ??= fault;
    }
  }
  throw last;
}

const joinedByAnd: Check = {
  ...onReads,
  id: 'filter/default-and',
  title: 'repeated filters without filterType are joined by AND',
  requirement: 'LST-FTYPE',
  ...{ appliesTo: isFiltered, accuses: onLists.accuses },
  dependsOn: ['list/envelope', 'list/complete', 'filter/operator'],
  run: looked(
    (context) => ({ looks: joinLooks(context.family, undefined, wholeSize(context)), isAbout: isOf('filters and') }),
    { shown: 0, parted: 1 },
  ),
};

const joinedByOr: Check = {
  ...onReads,
  id: 'filter/or',
  title: 'repeated filters are joined by OR if filterType says so',
  requirement: 'LST-FTYPE',
  ...{ appliesTo: isFiltered, accuses: onLists.accuses },
  dependsOn: ['list/envelope', 'list/complete', 'filter/default-and'],
  run: (context) =>
    joinsByOr(context, isObject(context.run.dialect('filter-type.spelling')) ? [undefined] : OR_SPELLINGS),
};

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
    const isListed = ({ name, or }: FilterTypeSpelling) =>
      name === 'filterType' && (!isObject(told) || or === told['or']);
    return joinsByOr(context, OR_SPELLINGS.filter(isListed)).catch((fault: unknown) => {
      if (!(fault instanceof CheckFailure)) throw fault;
      throw new CheckFailure({ ...fault.facts, onlyIf: 'the parameter is named filterType, as it is listed' });
    });
  },
};

export const filterChecks: readonly Check[] = [filterOperator, joinedByAnd, joinedByOr, typeSpelling];
