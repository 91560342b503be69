import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { defined } from '../../../lib/defined.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { type ListItem, pageOf, walkOf } from '../../../lib/wire/list-walk.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { Check, CheckContext, Outcome } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { mustAnswer } from './filter/filter-cell.ts';
import { workingSpelling } from './filter/negated-pair.ts';
import { guardAgainstChurn, type ListGroup, listGroup, scoped } from './shared/list-group.ts';
import { differenceOf } from './shared/relations.ts';

const lists: Check['appliesTo'] = (family) => family.ops.includes('list');

async function hasEnvelope(context: CheckContext): Promise<undefined> {
  const exchange = await context.send('list');
  if (exchange.status === 401 || exchange.status === 403) throw new Blocked(`no permission: status ${exchange.status}`);
  const page = pageOf(exchange);
  if (page === undefined) {
    const got = isObject(exchange.json) ? `members ${Object.keys(exchange.json).join(', ')}` : 'no JSON object';
    throw new CheckFailure('a SearchResult with its list of resources', `status ${exchange.status}, ${got}`);
  }
  context.witness('answers');
  context.observe('records on the default page', page.items.length);
  return undefined;
}

const emptyList = (context: CheckContext, { population }: ListGroup) =>
  tooLittle(context, { own: population.source === 'own', why: 'the list is empty', needs: 'a record' });

/** Ids that the other readings of the same list show and this one does not. */
async function lostBy(group: ListGroup, context: CheckContext): Promise<readonly string[]> {
  const [field] = context.family.sorts;
  const plain = await group.read(scoped(group, group.population, {}));
  mustAnswer(plain, 'the whole list');
  const others = field === undefined ? [] : ([{ sortAsc: field }, { sortDsc: field }] as readonly ListQuery[]);
  const seen = new Set<string>(
    group.population.source === 'own' && group.scope ? group.population.records.map(({ id }) => id) : [],
  );
  for (const list of others)
    for (const id of (await group.read(scoped(group, group.population, list))).ids) seen.add(id);
  const listed = new Set(plain.ids);
  return [...new Set([...seen, ...group.unlisted])].filter((id) => !listed.has(id));
}

async function isComplete(context: CheckContext): Promise<undefined> {
  const group = await listGroup(context);
  const lost = await lostBy(group, context);
  const plain = await group.read(scoped(group, group.population, {}));
  for (const exchange of plain.exchanges.slice(0, 3)) context.evidence.add(exchange);
  if (lost.length > 0) {
    await guardAgainstChurn(group);
    throw new CheckFailure('the list, read to its end, holds every record', `${lost.length} records are not in it`, {
      missing: lost,
      extra: [],
    });
  }
  if (plain.ids.length === 0) throw emptyList(context, group);
  context.witness('records', plain.ids.length);
  return undefined;
}

/** Members that a list entry and a read of the same record both show. */
function disagreement(item: ListItem, record: Readonly<Record<string, unknown>>): string | undefined {
  return ['name', 'description'].find((member) => {
    const [listed, read] = [item.record[member] ?? '', record[member] ?? ''];
    return member in item.record && member in record && listed !== read;
  });
}

async function agreesWithRead(context: CheckContext): Promise<undefined> {
  const group = await listGroup(context);
  const plain = await group.read(scoped(group, group.population, {}));
  const items = new Map(plain.items.map((item) => [item.id, item]));
  for (const { id, record } of group.population.records) {
    const item = items.get(id);
    const member = item && disagreement(item, record);
    if (item && member !== undefined) {
      await guardAgainstChurn(group);
      const now = await context.send('read', { id });
      for (const exchange of plain.exchanges.slice(0, 1)) context.evidence.add(exchange);
      throw new CheckFailure(
        `${member} ${String(record[member])} in the list as in a read (status ${now.status})`,
        String(item.record[member]),
      );
    }
    if (item) context.witness('records');
  }
  if (group.population.records.length === 0) throw emptyList(context, group);
  return undefined;
}

async function extraParameter(context: CheckContext): Promise<undefined> {
  const group = await listGroup(context);
  const plain = await group.read(scoped(group, group.population, {}));
  const input = { ...scoped(group, group.population, {}), extra: [['cfmx', '1']] as const };
  const other = await group.read(input);
  for (const exchange of other.exchanges.slice(0, 1)) context.evidence.add(exchange);
  mustAnswer(other, 'a list with an extra query parameter');
  const difference = differenceOf(new Set(plain.ids), new Set(other.ids));
  if (difference) {
    await guardAgainstChurn(group);
    throw new CheckFailure('the same list with and without an extra parameter', 'another list', {
      missing: [...difference.missing],
      extra: [...difference.extra],
    });
  }
  if (other.ids.length === 0) throw emptyList(context, group);
  context.witness('records', other.ids.length);
  return undefined;
}

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
    mustAnswer(result, `a filter on ${field}`);
    context.witness('fields');
  }
  for (const field of context.family.sorts) {
    for (const list of [{ sortAsc: field }, { sortDsc: field }] as readonly ListQuery[]) {
      const result = await group.read(scoped(group, group.population, list));
      if (result.refused) context.evidence.add(result.refused);
      mustAnswer(result, `a list sorted by ${field}`);
    }
    context.witness('fields');
  }
  if (unknown.length > 0) {
    const own = group.population.source === 'own';
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
      own: group.population.source === 'own',
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
    mustAnswer(page === undefined ? walkOf([], { refused: exchange }) : walkOf([page]), 'a list with its parameters');
    context.witness('answers');
  }
  return undefined;
}

export const shapeChecks: readonly Check[] = [
  {
    id: 'list/envelope',
    title: 'form of a list answer: SearchResult with its resources',
    requirement: 'LST-ENV',
    level: 'stated',
    appliesTo: lists,
    exercises: ['list'],
    needs: 'read',
    run: hasEnvelope,
  },
  {
    id: 'list/served',
    title: 'answer of the list operation',
    requirement: opRequirementId('{family}', 'list'),
    level: 'stated',
    appliesTo: lists,
    exercises: ['list'],
    needs: 'read',
    run: hasEnvelope,
  },
  {
    id: 'list/complete',
    title: 'completeness of the list, read to its end',
    requirement: 'LST-NEXT',
    level: 'stated',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: isComplete,
  },
  {
    id: 'list/agrees-with-read',
    title: 'agreement of a list entry with a read of the record',
    requirement: 'LIST-GET',
    level: 'implied',
    appliesTo: (family) => family.ops.includes('list') && family.ops.includes('read'),
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: agreesWithRead,
  },
  {
    id: 'list/extra-parameter',
    title: 'list with a query parameter without a meaning',
    requirement: 'CNV-EXTRA',
    level: 'implied',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: extraParameter,
  },
  {
    id: 'list/fields',
    title: 'acceptance of every listed filter field and sort field',
    requirement: 'FLD-{family}',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length + family.sorts.length > 0,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: fieldsAreTaken,
  },
  {
    id: 'list/without-sort',
    title: 'page, size, filter and filterType on a list without sort fields',
    requirement: 'LST-NOSORT',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.sorts.length === 0 && family.filters.length > 0,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: takesItsParameters,
  },
];
