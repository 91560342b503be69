import { defined } from '../../../lib/defined.ts';
import { pageOf, walkOf } from '../../../lib/wire/list-walk.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { Check, CheckContext, Outcome } from '../../kit/check.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { mustAnswer } from './filter/filter-cell.ts';
import { workingSpelling } from './filter/negated-pair.ts';
import { listGroup, scoped } from './shared/list-group.ts';
import { shouldSuffice } from './shared/population.ts';

/** Each listed field is asked for once as a filter and once in each order. */
async function fieldsAreTaken(context: CheckContext): Promise<undefined> {
  const group = await listGroup(context);
  const unknown: string[] = [];
  for (const field of context.family.filters) {
    const population = await group.having(field);
    const value = population.records.find(({ values }) => values[field] !== undefined)?.values[field];
    const filters = [{ field, operator: 'EQ' as const, value: String(value ?? 'x') }];
    const result = await group.read(scoped(group, population, { filters }));
    for (const exchange of result.exchanges.slice(0, 1)) context.evidence.add(exchange);
    // A refusal may be of the made-up value.
    if (value === undefined && result.refused !== undefined) {
      unknown.push(field);
      continue;
    }
    mustAnswer(result, `a filter on ${field}`, `filter ${field}.EQ`);
    context.witness('fields');
  }
  for (const field of context.family.sorts) {
    for (const list of [{ sortAsc: field }, { sortDsc: field }] as readonly ListQuery[]) {
      const result = await group.read(scoped(group, group.population, list));
      if (result.refused) context.evidence.add(result.refused);
      mustAnswer(result, `a list sorted by ${field}`, `sort ${field}.${'sortAsc' in list ? 'asc' : 'dsc'}`);
    }
    context.witness('fields');
  }
  if (unknown.length > 0) {
    const own = shouldSuffice(group.population);
    const why = `no record shows ${unknown.join(' or ')}, and a made-up value is refused`;
    throw tooLittle(context, { own, why, needs: `a record that shows ${unknown.join(' and ')}` });
  }
  return undefined;
}

/** The parameters that a list without sort fields takes: the last sentence of "Operations per family". */
async function takesItsParameters(context: CheckContext): Promise<Outcome | undefined> {
  const group = await listGroup(context);
  const [record] = group.population.records;
  const field = context.family.filters.find((each) => record?.values[each] !== undefined);
  if (record === undefined || field === undefined)
    throw tooLittle(context, {
      own: shouldSuffice(group.population),
      why: 'no record with a readable filter field is on the target',
      needs: 'a record that shows a filter field',
    });
  const filters = [{ field, operator: 'EQ' as const, value: String(record.values[field]) }];
  const filterType = await workingSpelling(context).catch(() => undefined);
  const joined: RequestInput = { list: { filters, join: 'or' }, ...defined({ filterType }) };
  const paged = [{ size: 1 }, { size: 1, page: 1 }, { filters }].map((list): RequestInput => ({ list }));
  for (const input of [...paged, joined]) {
    const exchange = await group.requester.list(input);
    context.evidence.add(exchange);
    const page = pageOf(exchange);
    const walk = page === undefined ? walkOf([], { refused: exchange }) : walkOf([page]);
    mustAnswer(walk, 'a list with its parameters', 'list');
    context.witness('answers');
  }
  return undefined;
}

export const parameterChecks: readonly Check[] = [
  {
    id: 'list/fields',
    title: 'every listed filter field and sort field is accepted',
    requirement: 'FLD-{family}',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length + family.sorts.length > 0,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: fieldsAreTaken,
  },
  {
    id: 'list/without-sort',
    title: 'a list without sort fields accepts page, size, filter and filterType',
    requirement: 'LST-NOSORT',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.sorts.length === 0 && family.filters.length > 0,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: takesItsParameters,
  },
];
