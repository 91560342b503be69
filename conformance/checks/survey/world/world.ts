import { type Family, fieldsOf, hasOp } from '../../../../lib/contract/types.ts';
import { isSuccess } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../../lib/wire/query.ts';
import { Blocked, type CheckContext, type Fixture, type SharedScope } from '../../../kit/check.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from '../../../kit/fields.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { homesOf, identityField, listFields } from '../../../kit/list/seeded-records.ts';
import { sampleFields } from '../../../kit/samples.ts';
import { type KnownRecord, readRecords } from '../../list/shared/population.ts';
import { applyPolicies } from './endpoints.ts';
import { denseTexts, LOOK_ALIKES, longText, plainText } from './texts.ts';

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
  /** True where the target takes any text as a name, and any as a pointer. */
  readonly takesAnyName: boolean;
}

/** Plain records of a survey: with those of dense texts, and those of the list checks, more than a page of default size. */
const PLAIN = 11;
/** One record in so many has a past. */
const REWRITTEN = 7;
/** Numbers around the ends of what storage and comparison may have, and texts of digits within each other. */
const NUMBERS = [313, 3131, 1313, 13132, 14, 32766, 32769, 40000, 40001, 65518, 33001, 150, 8] as const;
const AT_ONCE = 4;
/** Records of others that a survey looks at where it can make none. */
const FOUND = 6;

/** Texts of a family that a write carries: the name first, pointers last. */
export function textMembers(family: Family): readonly string[] {
  const name = nameMember(family);
  const texts = sentFields(family, 'create')
    .filter(([member, { type, form }]) => type === 'string' && form === undefined && !isServerFilled(family, member))
    .map(([member]) => member);
  return [...texts].sort((a, b) => Number(b === name) - Number(a === name));
}

export const isPointer = (member: string): boolean => /Id$/.test(member);

interface Wanted {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What is asked for where the target refuses the first. */
  readonly plainer: Readonly<Record<string, unknown>>;
}

/** What the n-th record is to hold: plain ones first, so that dense ones lie beyond the first page. */
function wantedOf(family: Family, start: string, index: number): Wanted {
  const name = nameMember(family) ?? 'name';
  const [dense, turn] = [denseTexts(''), index - PLAIN];
  const textOf = (member: string, at: number): string => {
    const own = member === name || isPointer(member) ? start : '';
    if (turn < 0)
      return own === '' && index < LOOK_ALIKES.length
        ? (LOOK_ALIKES[index] ?? '')
        : own === '' && index === LOOK_ALIKES.length
          ? `${plainText(3).slice(0, -1)}%7Az`
          : `${own}${plainText((index * (at + 1) + at * 5) % PLAIN)}`;
    if (turn >= dense.length) return longText(own);
    return denseTexts(own)[(turn * (at + 1) + at * 2) % dense.length] ?? '';
  };
  const texts = Object.fromEntries(textMembers(family).map((member, at) => [member, textOf(member, at)]));
  const others = Object.fromEntries(
    Object.entries(fieldsOf(family)).flatMap(([member, field]): [string, unknown][] => {
      if (rangeOf(field) !== undefined && NUMBERS[index - 1] !== undefined) return [[member, NUMBERS[index - 1]]];
      return field.type === 'boolean' && !isServerFilled(family, member) ? [[member, index % 2 === 0]] : [];
    }),
  );
  const samples = sampleFields(family, (index % 2) as 0 | 1);
  const composite = Object.fromEntries(
    Object.entries(samples).filter(([member, value]) => typeof value === 'object' && !isServerFilled(family, member)),
  );
  const plainName = { [name]: `${start}${index.toString(36)}` };
  const free = Object.fromEntries(Object.entries(texts).filter(([member]) => member !== name && !isPointer(member)));
  return { fields: { ...texts, ...others, ...composite }, plainer: { ...free, ...composite, ...plainName } };
}

/** Makes one record; where the target refuses its texts or numbers, one of plainer ones. */
async function makeOne(
  scope: SharedScope,
  home: string,
  wanted: Wanted,
): Promise<{ own: Fixture; isPlainer: boolean }> {
  try {
    return { own: await scope.fixture(wanted.fields, home), isPlainer: false };
  } catch (fault) {
    if (!(fault instanceof Blocked)) throw fault;
    return { own: await scope.fixture(wanted.plainer, home), isPlainer: true };
  }
}

async function makeRecords(context: CheckContext, scope: SharedScope, start: string) {
  const { family, table } = context;
  const homes = homesOf(family.name, table).filter((home) => context.run.mayCreate(home));
  const made: { own: Fixture; isPlainer: boolean }[] = [];
  const count = homes.length === 0 ? 0 : PLAIN + denseTexts('').length + 1;
  // The first one alone: a target that refuses its name is not asked for another like it.
  for (let from = 0; from < count; from = made.length) {
    const length = from === 0 ? 1 : Math.min(AT_ONCE, count - from);
    const some = Array.from({ length }, (_, offset) => from + offset);
    const isPlainer = made[0]?.isPlainer === true;
    const owns = await Promise.all(
      some.map((index) => {
        const home = homes[index % homes.length] as string;
        const wanted = wantedOf(table[home] as Family, start, index);
        return makeOne(scope, home, isPlainer ? { ...wanted, fields: wanted.plainer } : wanted);
      }),
    );
    made.push(...owns);
  }
  return made;
}

/** Gives some records their texts once more by an update, so that they have a past that may come back. */
async function rewrite(scope: SharedScope, table: CheckContext['table'], owns: readonly Fixture[]): Promise<void> {
  for (const own of owns.filter((_, index) => index % REWRITTEN === PLAIN % REWRITTEN)) {
    const family = table[own.family];
    if (family === undefined || !hasOp(family, 'update')) continue;
    const text = textMembers(family).find((member) => member !== nameMember(family) && !isPointer(member));
    if (text === undefined) continue;
    for (const value of ['before', own.sent[text]])
      await scope.send('update', { id: own.id, fields: { ...own.sent, [text]: value, id: own.id } }, own.family);
  }
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
  const base = { context, scope, family, start, gone: [], stayed: [] };
  const made = await makeRecords(context, scope, start);
  if (made.length === 0) {
    const isAnc = context.run.endpoints !== undefined && hasOp(family, 'apply');
    const records = isAnc ? await appliedRecords(context, scope) : [];
    const found = records.length > 0 ? [] : await foundRecords(context, scope);
    return { ...base, records, found, selects: undefined, takesAnyName: false };
  }
  const owns = made.map(({ own }) => own);
  await rewrite(scope, table, owns);
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
    takesAnyName: made[0]?.isPlainer === false,
  };
}

/** Records by which a field is judged: those of the survey, or where none holds it, those of others that do. */
export function havingField({ records, found }: World, field: string): readonly Surveyed[] {
  const own = records.filter(({ values }) => values[field] !== undefined);
  return own.length > 0 ? own : found.filter(({ values }) => values[field] !== undefined);
}
