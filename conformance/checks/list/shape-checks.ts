import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { isObject, isSuccess } from '../../../lib/wire/answer.ts';
import { type ListItem, pageOf } from '../../../lib/wire/list-walk.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { mustAnswer } from './filter/filter-cell.ts';
import { guardAgainstChurn, type ListGroup, listGroup, scoped } from './shared/list-group.ts';
import { shouldSuffice } from './shared/population.ts';
import { differenceOf } from './shared/relations.ts';

const lists: Check['appliesTo'] = (family) => family.ops.includes('list');

async function hasEnvelope(context: CheckContext): Promise<undefined> {
  const exchange = await context.send('list');
  if (exchange.status === 401 || exchange.status === 403) throw new Blocked(`no permission: status ${exchange.status}`);
  const page = pageOf(exchange);
  if (page === undefined) {
    const got = isObject(exchange.json) ? `members ${Object.keys(exchange.json).join(', ')}` : 'no JSON object';
    throw new CheckFailure({
      expected: 'a SearchResult with its list of resources',
      observed: `status ${exchange.status}, ${got}`,
      about: { kind: isSuccess(exchange) ? 'value' : 'refused', operation: 'list', subject: 'envelope' },
    });
  }
  context.witness('answers');
  context.observe('records on the default page', page.items.length);
  return undefined;
}

const emptyList = (context: CheckContext, { population }: ListGroup) =>
  tooLittle(context, { own: shouldSuffice(population), why: 'the list is empty', needs: 'a record' });

/** Ids that the other readings of the same list show and this one does not. */
async function lostBy(group: ListGroup, context: CheckContext): Promise<readonly string[]> {
  const [field] = context.family.sorts;
  const plain = await group.read(scoped(group, group.population, {}));
  mustAnswer(plain, 'the whole list', 'list');
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
    throw new CheckFailure({
      expected: 'the list, read to its end, holds every record',
      observed: `${lost.length} records are not in it`,
      about: { kind: 'records', operation: 'list', subject: 'list' },
      difference: { missing: lost, extra: [] },
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
      throw memberFailure({
        operation: 'list',
        member,
        seen: item.record[member],
        expected: `${member} ${String(record[member])} in the list as in a read (status ${now.status})`,
        observed: String(item.record[member]),
      });
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
  mustAnswer(other, 'a list with an extra query parameter', 'parameter unknown');
  const difference = differenceOf(new Set(plain.ids), new Set(other.ids));
  if (difference) {
    await guardAgainstChurn(group);
    throw new CheckFailure({
      expected: 'the same list with and without an extra parameter',
      observed: 'another list',
      about: { kind: 'records', operation: 'list', subject: 'parameter unknown' },
      difference: { missing: [...difference.missing], extra: [...difference.extra] },
    });
  }
  if (other.ids.length === 0) throw emptyList(context, group);
  context.witness('records', other.ids.length);
  return undefined;
}

export const shapeChecks: readonly Check[] = [
  {
    id: 'list/envelope',
    title: 'a list answer is a SearchResult with its resources',
    requirement: 'LST-ENV',
    level: 'stated',
    appliesTo: lists,
    exercises: ['list'],
    needs: 'read',
    run: hasEnvelope,
  },
  {
    id: 'list/served',
    title: 'the list operation is answered with a list',
    requirement: opRequirementId('{family}', 'list'),
    level: 'stated',
    appliesTo: lists,
    exercises: ['list'],
    needs: 'read',
    run: hasEnvelope,
  },
  {
    id: 'list/complete',
    title: 'a list that is read to its end holds every record',
    requirement: 'LST-NEXT',
    level: 'stated',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: isComplete,
  },
  {
    id: 'list/agrees-with-read',
    title: 'a list entry agrees with a read of the record',
    requirement: 'LIST-GET',
    level: 'implied',
    appliesTo: (family) => family.ops.includes('list') && family.ops.includes('read'),
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: agreesWithRead,
  },
  {
    id: 'list/extra-parameter',
    title: 'a list ignores a query parameter without a meaning',
    requirement: 'CNV-EXTRA',
    level: 'implied',
    appliesTo: lists,
    dependsOn: ['list/envelope'],
    needs: 'read',
    run: extraParameter,
  },
];
