import type { FilterTypeSpelling } from '../../../../lib/wire/query.ts';
import { type Check, type CheckContext, checkOfEach } from '../../../kit/check.ts';
import { Inconclusive } from '../../../kit/fault.ts';
import { isPlain } from '../../../kit/list/fragments.ts';
import { kindOf } from '../../../kit/list/value.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { failOnLists } from '../shared/list-failure.ts';
import { type ListGroup, listGroup } from '../shared/list-group.ts';
import type { KnownRecord } from '../shared/population.ts';
import { differenceOf, intersection, union } from '../shared/relations.ts';
import { queryText } from '../shared/shrink.ts';
import { knownIn, mustAnswer } from './filter-cell.ts';
import { readFilters, workingSpelling } from './negated-pair.ts';

type Filters = Parameters<typeof readFilters>[1];

/** Records that the criteria are made from; more would cost more and tell the same. */
const MODELS = 3;

/** One criterion on each field that the record shows, that other records meet too where the field allows it. */
function criteriaOf(context: CheckContext, { values }: KnownRecord): Filters {
  return context.family.filters.flatMap((field): Filters => {
    const value = values[field];
    if (value === undefined || !isPlain(String(value))) return [];
    const kind = kindOf(context.family, field);
    if (kind === 'integer') return [{ field, operator: 'GT', value: String(Number(value) - 1) }];
    if (kind === 'boolean') return [{ field, operator: 'EQ', value: String(value) }];
    return [{ field, operator: 'ENDSW', value: String(value).slice(-4) }];
  });
}

/** Sets of three and more criteria over different fields and different records. */
function setsOf(context: CheckContext, group: ListGroup): readonly Filters[] {
  const models = group.population.records
    .map((record) => criteriaOf(context, record))
    .filter(({ length }) => length > 0);
  const [one = [], other = [], third = []] = models.slice(0, MODELS);
  const negated = other.slice(0, 1).map((filter) => ({ ...filter, operator: 'NEQ' as const }));
  const mixed = [...one.slice(0, 2), ...other.slice(-1), ...third.slice(0, 1)];
  return [[...one, ...negated].slice(0, 4), mixed, [...mixed].reverse()].filter(({ length }) => length >= 3);
}

/** The answer to all criteria at once, held against the answers to each of them alone. */
async function holdTogether(
  context: CheckContext,
  group: ListGroup,
  filters: Filters,
  or: FilterTypeSpelling | undefined,
): Promise<void> {
  const { population } = group;
  const alone = [];
  for (const filter of filters) {
    const result = await readFilters(group, [filter]);
    mustAnswer(result, queryText({ filters: [filter] }), `filter ${filter.field}.${filter.operator}`);
    alone.push(knownIn(population, result));
  }
  const together = await readFilters(group, filters, or === undefined ? undefined : { or });
  for (const exchange of together.exchanges) context.evidence.add(exchange);
  const subject = or === undefined ? 'filters and' : 'filters or';
  mustAnswer(together, queryText({ filters }), subject);
  const [first = new Set<string>(), ...rest] = alone;
  const wanted = or === undefined ? rest.reduce<Set<string>>(intersection, new Set(first)) : union(...alone);
  const difference = differenceOf(wanted, knownIn(population, together));
  context.witness('criteria', filters.length);
  if (difference === undefined) return;
  await failOnLists(context, { group, population, unscoped: true }, [together], {
    expected: `${or === undefined ? 'all' : 'any'} of ${filters.length} criteria: ${queryText({ filters })}`,
    observed: `${difference.missing.length} records missing, ${difference.extra.length} too many`,
    ...{ subject, difference },
  });
}

/** Three and more criteria, over different fields, joined either way. */
const manyCriteria = checkOfEach<'and' | 'or'>({
  id: 'filter/many-criteria',
  title: 'three and more filters over different fields are joined by AND and by OR',
  requirement: 'LST-FTYPE',
  level: 'stated',
  appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
  variants: () => [
    { name: 'and', data: 'and', requirement: 'LST-FILT' },
    { name: 'or', data: 'or' },
  ],
  dependsOn: ['list/envelope', 'list/complete'],
  needs: 'read',
  async run(context, join) {
    const group = await listGroup(context);
    const sets = setsOf(context, group);
    if (sets.length === 0)
      throw tooLittle(context, {
        why: 'too few readable values for three different criteria',
        needs: 'three records with different values in the filter fields',
      });
    const or = join === 'or' ? await workingSpelling(context) : undefined;
    if (join === 'or' && or === undefined) throw new Inconclusive('no spelling joins by OR: filter/or judges that');
    for (const filters of sets) await holdTogether(context, group, filters, or);
    return undefined;
  },
});

export const manyCriteriaChecks: readonly Check[] = [manyCriteria];
