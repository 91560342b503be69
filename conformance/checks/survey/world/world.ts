import { type Family, hasOp } from '../../../../lib/contract/types.ts';
import { isSuccess } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../../lib/wire/query.ts';
import type { CheckContext, Fixture, SharedScope } from '../../../kit/check.ts';
import { Blocked } from '../../../kit/fault.ts';
import { isServerFilled, nameMember } from '../../../kit/fields.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { homesOf, identityField, listFields } from '../../../kit/list/seeded-records.ts';
import { type KnownRecord, readRecords } from '../../list/shared/population.ts';
import { type Carried, carriedBy } from './carried.ts';
import { applyPolicies } from './endpoints.ts';
import type { Likeness } from './texts.ts';
import { COUNT, isPointer, textMembers, wantedOf } from './wanted.ts';

/** A record of the survey: what was sent for it, where this run made it, and what a read showed. */
export interface Surveyed extends KnownRecord {
  readonly home: string;
  readonly sent: Readonly<Record<string, unknown>>;
}

/** Everything that one family's survey is about. */
export interface World {
  readonly context: CheckContext;
  readonly scope: SharedScope;
  readonly family: Family;
  /** What the names of all records of the survey begin with, and no other. */
  readonly start: string;
  readonly records: readonly Surveyed[];
  /** Records of others, for fields that no record of the survey holds. */
  readonly found: readonly Surveyed[];
  /** The filter that selects the records of the survey; undefined where names are no filter. */
  readonly selects: Filter | undefined;
  /** Ids of records of the survey that are gone: requests on them must be refused. */
  readonly gone: string[];
  /** Ids of records whose delete was refused. */
  readonly stayed: string[];
  /** What requests may carry besides: whether the target takes it is judged by checks of its own. */
  readonly carried: Carried;
  /** True where the target takes any text as a name, and any as a pointer. */
  readonly takesAnyName: boolean;
  /** What names were seen to be taken although they look like values of another type. */
  readonly likenesses: Set<Likeness>;
}

/** One record in so many has a past, from this one on: neither the first dense text nor the longest, which only a create has written. */
const [REWRITTEN, REWRITTEN_FROM] = [7, 3];
const AT_ONCE = 4;
/** Records of others that a survey looks at where it can make none. */
const FOUND = 6;

interface Made {
  readonly own: Fixture;
  /** Which of its forms the target took. */
  readonly form: number;
  readonly isPlain: boolean;
}

/** Makes one record in the first of its forms that the target takes, from the one that it took before. */
async function makeOne(
  scope: SharedScope,
  home: string,
  forms: ReturnType<typeof wantedOf>,
  from: number,
): Promise<Made> {
  for (let form = from; ; form += 1) {
    const { fields, isPlain } = forms[form] ?? { fields: {}, isPlain: true };
    try {
      return { own: await scope.fixture(fields, home), form, isPlain };
    } catch (fault) {
      if (!(fault instanceof Blocked) || form + 1 >= forms.length) throw fault;
    }
  }
}

async function makeRecords(context: CheckContext, scope: SharedScope, start: string): Promise<readonly Made[]> {
  const { family, table } = context;
  const homes = homesOf(family.name, table).filter((home) => context.run.mayCreate(home));
  const made: Made[] = [];
  const count = homes.length === 0 ? 0 : COUNT;
  // The first one alone: a target that refuses its texts is not asked for others like them.
  for (let from = 0; from < count; from = made.length) {
    const length = from === 0 ? 1 : Math.min(AT_ONCE, count - from);
    const some = Array.from({ length }, (_, offset) => from + offset);
    const owns = await Promise.all(
      some.map((index) => {
        const home = homes[index % homes.length] as string;
        return makeOne(
          scope,
          home,
          wantedOf(context.run.values, table[home] as Family, start, index),
          made[0]?.form ?? 0,
        );
      }),
    );
    made.push(...owns);
  }
  return made;
}

/** What a record may have held before, from as much as possible to what every target takes. */
function pastsOf(
  { values }: CheckContext['run'],
  family: Family,
  { sent }: Fixture,
  name: string,
  turn: 0 | 1,
): readonly Readonly<Record<string, unknown>>[] {
  const member = nameMember(family);
  const named = member === undefined ? {} : { [member]: name };
  const texts = textMembers(family).filter((each) => each !== member && each in sent);
  const free = values.adaptAll(
    Object.fromEntries(texts.filter((each) => !isPointer(each)).map((each) => [each, 'before'])),
    family.name,
  );
  const pointers = values.adaptAll(
    Object.fromEntries(texts.filter(isPointer).map((each) => [each, name])),
    family.name,
  );
  const composite = Object.entries(values.samples(turn, family.name)).filter(
    ([each, value]) => typeof value === 'object' && each in sent && !isServerFilled(family, each),
  );
  const flags = Object.entries(sent).flatMap(([each, value]) => (typeof value === 'boolean' ? [[each, !value]] : []));
  const others = Object.fromEntries([...composite, ...flags]);
  return [{ ...named, ...free, ...pointers, ...others }, { ...named, ...free }, free];
}

/**
 * Gives some records other values, and then their own again, so that they have a past that may come back. The records that
 * are as they were wanted in the end.
 */
async function rewrite(
  scope: SharedScope,
  { context, start }: Pick<World, 'context' | 'start'>,
  owns: readonly Fixture[],
): Promise<readonly Fixture[]> {
  const lost = new Set<Fixture>();
  for (const [index, own] of owns.entries()) {
    const family = context.table[own.family];
    if (index % REWRITTEN !== REWRITTEN_FROM || family === undefined || !hasOp(family, 'update')) continue;
    const write = async (past: Readonly<Record<string, unknown>>) =>
      isSuccess(await scope.send('update', { id: own.id, fields: { ...own.sent, ...past, id: own.id } }, own.family));
    for (const past of pastsOf(context.run, family, own, `${start}0before${index}`, index % 2 === 0 ? 1 : 0)) {
      if (!(await write(past))) continue;
      if (!(await write({}))) lost.add(own);
      break;
    }
  }
  return owns.filter((own) => !lost.has(own));
}

async function foundRecords(context: CheckContext, scope: SharedScope): Promise<readonly Surveyed[]> {
  const { family } = context;
  const walk = await walkList(requesterOf(scope), {}, { pages: 2 });
  const known = await readRecords(scope, family, walk.items.slice(0, FOUND));
  return known.map((record) => ({ ...record, home: family.name, sent: {} }));
}

async function appliedRecords(context: CheckContext, scope: SharedScope): Promise<readonly Surveyed[]> {
  const ids = await applyPolicies(context, scope);
  const known = await readRecords(
    scope,
    context.family,
    ids.map((id) => ({ id, record: {} })),
  );
  return known.map((record) => ({ ...record, home: context.family.name, sent: {} }));
}

/** Makes the records of a survey and waits until the list shows them; takes what is there where none can be made. */
export async function openWorld(context: CheckContext, scope: SharedScope): Promise<World> {
  const { family, table, run } = context;
  const start = `${run.prefix}s${Object.keys(table).indexOf(family.name).toString(36)}`;
  const base = { context, scope, family, start, gone: [], stayed: [], carried: await carriedBy(context, scope) };
  const made = await makeRecords(context, scope, start);
  if (made.length === 0) {
    const isAnc = context.run.endpoints !== undefined && hasOp(family, 'apply');
    const records = isAnc ? await appliedRecords(context, scope) : [];
    const found = records.length > 0 ? [] : await foundRecords(context, scope);
    return { ...base, records, found, selects: undefined, takesAnyName: false, likenesses: new Set() };
  }
  const owns = await rewrite(
    scope,
    base,
    made.map(({ own }) => own),
  );
  const bySent = new Map(owns.map((own) => [own.id, own]));
  const isThere = async () => {
    const walk = await walkList(requesterOf(scope), { list: { size: 50 } });
    return walk.refused !== undefined || owns.every(({ id }) => walk.ids.includes(id)) || undefined;
  };
  await context.eventually(isThere);
  await context.eventually(async () => {
    const last = owns.at(-1) as Fixture;
    const answer = await scope.send('read', { id: last.id }, last.family);
    return isSuccess(answer) || undefined;
  });
  const known = await readRecords(
    scope,
    family,
    owns.map(({ id }) => ({ id, record: {} })),
  );
  const records = known.map((record) => {
    const own = bySent.get(record.id) as Fixture;
    return { ...record, home: own.family, sent: own.sent };
  });
  const field = identityField(family);
  const isScoped = field !== undefined && records.every(({ values }) => String(values[field] ?? '').startsWith(start));
  const isHeld = listFields(family).every((each) => records.some(({ values }) => values[each] !== undefined));
  return {
    ...base,
    records,
    found: isHeld ? [] : await foundRecords(context, scope),
    selects: isScoped ? { field, operator: 'STARTSW', value: start } : undefined,
    takesAnyName: made[0]?.isPlain === false,
    likenesses: new Set(),
  };
}

/** Records by which a field is judged: those of the survey, or where none holds it, those of others that do. */
export function havingField({ records, found }: World, field: string): readonly Surveyed[] {
  const own = records.filter(({ values }) => values[field] !== undefined);
  return own.length > 0 ? own : found.filter(({ values }) => values[field] !== undefined);
}
