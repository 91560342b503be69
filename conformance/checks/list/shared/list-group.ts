import { isSuccess, totalOf } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import type { Filter, ListQuery } from '../../../../lib/wire/query.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import type { CheckContext, SharedScope } from '../../../kit/check.ts';
import { Blocked, Inconclusive } from '../../../kit/fault.ts';
import { type ListResult, memoized, type Requester, requesterOf } from '../../../kit/list/list-reader.ts';
import { homesOf, identityField, seedRecords } from '../../../kit/list/seeded-records.ts';
import { makeAncRecords } from './anc-records.ts';
import { type KnownRecord, type Population, readRecords, SAMPLE, spread } from './population.ts';
import { differenceOf } from './relations.ts';

/** What the list checks of one family share: records, a way to select them, and a reader that asks each query once. */
export interface ListGroup {
  /** Records this run made (or the sample of those found); by these every relation is judged. */
  readonly population: Population;
  /** Ids of own records that can be read by id but are missing from the list. */
  readonly unlisted: readonly string[];
  /** The filter that selects the own records; undefined where there are none or where it does not select them. */
  readonly scope: Filter | undefined;
  /** Page size that the target takes and that holds the own records where possible. */
  readonly size: number | undefined;
  /** Reads a list to its end, once per query. */
  readonly read: (input: RequestInput) => Promise<ListResult>;
  /** Reads a list to its end, again. */
  readonly reread: (input: RequestInput) => Promise<ListResult>;
  readonly requester: Requester;
  /** Reads the records of a population again. */
  readonly know: (population: Population) => Promise<readonly KnownRecord[]>;
  /** Population that has the field: the own records where they hold it, else existing ones. */
  readonly having: (field: string) => Promise<Population>;
}

/** Page sizes tried for reading a list whole, largest first; a target may refuse what is above its limit. */
const SIZES: readonly (number | undefined)[] = [100, 50, 20, undefined];

async function largestSize(requester: Requester): Promise<number | undefined> {
  for (const size of SIZES) {
    const answer = await requester.list(size === undefined ? {} : { list: { size } });
    if (isSuccess(answer)) return size;
  }
  return undefined;
}

const sized = (list: ListQuery, size: number | undefined): RequestInput => ({
  list: size === undefined ? list : { ...list, size },
});

interface Made {
  readonly records: readonly KnownRecord[];
  readonly scope: Filter | undefined;
}

/** What starts every name of this family's seeded records and of no other record. */
function seedPrefix(context: CheckContext): string {
  return `${context.run.prefix}l${Object.keys(context.table).indexOf(context.family.name)}`;
}

/** What others left on the target serves where nothing may be made: then the relations are about that. */
async function unlessRefused(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (fault) {
    if (fault instanceof Blocked) return { records: [], scope: undefined };
    throw fault;
  }
}

async function makeRecords(context: CheckContext, scope: SharedScope): Promise<Made> {
  const { family, table } = context;
  const { name } = family;
  const field = identityField(family);
  if (homesOf(name, table).some((home) => context.run.mayCreate(home))) {
    const prefix = seedPrefix(context);
    const fixtures = await seedRecords(scope, { name, table, prefix });
    const items = fixtures.map(({ id }) => ({ id, record: {} }));
    const records = await readRecords(scope, family, items);
    const selects =
      field !== undefined && records.every(({ values }) => String(values[field] ?? '').startsWith(prefix));
    return { records, scope: selects ? { field, operator: 'STARTSW', value: prefix } : undefined };
  }
  if (context.run.endpoints !== undefined && family.ops.includes('apply') && field !== undefined) {
    const { addresses, ids } = await makeAncRecords(scope, context, field);
    const read = await readRecords(
      scope,
      family,
      ids.map((id) => ({ id, record: {} })),
    );
    return { records: read.filter(({ values }) => addresses.includes(String(values[field]))), scope: undefined };
  }
  return { records: [], scope: undefined };
}

/** The scope filter, if it selects the own records and no others, alone and beside a second filter in both orders. */
async function provenScope(group: Pick<ListGroup, 'read' | 'size'>, made: Made): Promise<Filter | undefined> {
  const { scope } = made;
  const [first] = made.records;
  if (scope === undefined || first === undefined) return undefined;
  const one: Filter = { field: scope.field, operator: 'EQ', value: String(first.values[scope.field]) };
  const own = new Set(made.records.map(({ id }) => id));
  const alone = await group.read(sized({ filters: [scope] }, group.size));
  if (alone.refused || !alone.ids.every((id) => own.has(id))) return undefined;
  for (const filters of [
    [scope, one],
    [one, scope],
  ]) {
    const both = await group.read(sized({ filters }, group.size));
    if (both.refused || both.ids.length === 0 || both.ids.length >= own.size) return undefined;
  }
  return scope;
}

async function existing(context: CheckContext, scope: SharedScope, read: ListGroup['read'], size: number | undefined) {
  const whole = await read(sized({}, size));
  const items = spread(whole.items, SAMPLE);
  const records = await readRecords(scope, context.family, items);
  const claimed = Math.max(0, ...whole.exchanges.map((exchange) => totalOf(exchange) ?? 0));
  const isPartial = whole.refused !== undefined || records.length < items.length || claimed > whole.ids.length;
  return { source: 'existing', records, isPartial } as const satisfies Population;
}

async function makeGroup(context: CheckContext, scope: SharedScope): Promise<ListGroup> {
  const requester = requesterOf(scope);
  const made = await unlessRefused(() => makeRecords(context, scope));
  const size = await largestSize(requester);
  const isListed = async () => {
    const list = made.scope === undefined ? {} : { filters: [made.scope] };
    const result = await walkList(requester, sized(list, size));
    const listed = new Set(result.ids);
    return made.records.every(({ id }) => listed.has(id)) ? listed : undefined;
  };
  if (made.records.length > 0) await context.eventually(isListed);
  const read = memoized(requester);
  const whole = made.records.length === 0 ? undefined : await read(sized({}, size));
  const inScope = made.scope === undefined ? undefined : await read(sized({ filters: [made.scope] }, size));
  const listed = new Set([...(whole?.ids ?? []), ...(inScope?.ids ?? [])]);
  const seen = made.records.filter(({ id }) => listed.has(id));
  const proven = await provenScope({ read, size }, { ...made, records: seen });
  let found: Promise<Population> | undefined;
  const others = () => {
    found ??= existing(context, scope, read, size);
    return found;
  };
  const own: Population = { source: 'own', records: seen };
  const population = seen.length > 0 ? own : await others();
  return {
    population,
    unlisted: made.records.filter(({ id }) => !listed.has(id)).map(({ id }) => id),
    scope: proven,
    size,
    read,
    reread: (input) => walkList(requester, input),
    requester,
    know: ({ records }) => readRecords(scope, context.family, records),
    having: async (field) => (seen.some(({ values }) => values[field] !== undefined) ? own : others()),
  };
}

/** The list group of the check's family, made by whichever check asks first. */
export async function listGroup(context: CheckContext): Promise<ListGroup> {
  const group = await context.run.shared('list', (scope) => makeGroup(context, scope));
  const shown =
    <I>(read: (input: I) => Promise<ListResult>) =>
    async (input: I) => {
      const result = await read(input);
      context.evidence.refer(result.exchanges);
      return result;
    };
  return { ...group, read: shown(group.read), reread: shown(group.reread) };
}

/** Filters within the group's scope, whole, at the size that holds them on one page where possible. */
export function scoped(group: ListGroup, population: Population, list: ListQuery): RequestInput {
  const inScope = population.source === 'own' && group.scope !== undefined && list.join !== 'or';
  const filters = [...(inScope && group.scope ? [group.scope] : []), ...(list.filters ?? [])];
  return sized({ ...list, ...(filters.length === 0 ? {} : { filters }) }, list.size ?? group.size);
}

/**
 * Throws `Inconclusive` where the records of others changed while answers were read that no filter kept them out of:
 * an insert between two pages moves records from one to the other.
 */
export async function guardAgainstChurn(
  group: ListGroup,
  population = group.population,
  isScoped = true,
): Promise<void> {
  if (isScoped && population.source === 'own' && group.scope !== undefined) return;
  const before = await group.read(sized({}, group.size));
  const after = await group.reread(sized({}, group.size));
  const values = async () => JSON.stringify((await group.know(population)).map((record) => record.values));
  const isSame = differenceOf(new Set(before.ids), new Set(after.ids)) === undefined;
  if (isSame && (await values()) === JSON.stringify(population.records.map((record) => record.values))) return;
  throw new Inconclusive('records of others changed during the check, and no filter keeps them out');
}
