import { type Family, type FamilyTable, type Field, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import type { JsonObject } from '../../lib/wire/answer.ts';

/** Members of a create or update body: section "Special paths", last paragraph. `id` is never among those of a create. */
export const sentFields = (family: Family | undefined, on: 'create' | 'update') =>
  Object.entries(fieldsOf(family)).filter(
    ([member, { sentOn }]) => sentOn !== 'never' && (on === 'update' || (sentOn !== 'update' && member !== 'id')),
  );

/** Member that holds a record's name; undefined if the family shows no text to name it by. */
export function nameMember(family: Family): string | undefined {
  const fields = fieldsOf(family);
  if ('name' in fields) return 'name';
  const mapped = memberOf(family.name, 'name');
  if (mapped in fields) return mapped;
  return Object.keys(fields).find((member) => member !== 'id' && fields[member]?.type === 'string');
}

/** Name that the fields of a record give it, as text; empty if they give none. */
export function nameGiven(family: Family | undefined, fields: JsonObject): string {
  const member = family === undefined ? undefined : nameMember(family);
  return String(fields[member ?? 'name'] ?? '');
}

/** Names that read like a value of another type, and hold nothing of the run. */
export const BARE_NAMES: readonly string[] = ['number', 'led by zeros', 'truth', 'null'];

/** True if a record with such a name can be told from those of others after a killed run: by its name, or by its description. */
export const isTold = (family: Family, like: string): boolean =>
  !BARE_NAMES.includes(like) || 'description' in fieldsOf(family);

/** Filter field that reads a record's name; undefined if the family has none. */
export const nameFilter = (family: Family): string | undefined =>
  family.filters.find((field) => memberOf(family.name, field) === nameMember(family));

/** Name of the view that shows the records of a family beside those of others; undefined if there is none. */
export const viewOf = (table: FamilyTable, family: string): string | undefined =>
  Object.keys(table).find((name) => table[name]?.viewOf?.includes(family) === true);

export const creatable = (table: FamilyTable): readonly string[] =>
  Object.keys(table).filter((name) => isCreatable(table[name]));

export const isCreatable = (family: Family | undefined): family is Family =>
  family !== undefined && hasOp(family, 'create');

/** Family whose record a member of another points at: the one its table names, or `<family>Id`; undefined for any other member. */
export function referenceOf(table: FamilyTable, family: Family | undefined, member: string): string | undefined {
  const named = family === undefined ? undefined : fieldsOf(family)[member]?.refersTo;
  if (named !== undefined) return isCreatable(table[named]) ? named : undefined;
  const stem = member.endsWith('Id') ? member.slice(0, -2).toLowerCase() : '';
  return isCreatable(table[stem]) ? stem : undefined;
}

/** True for a text that holds the id of something else, by its name: nobody can make one up. */
export const isPointer = (member: string, field: Pick<Field, 'type'> | undefined): boolean =>
  /Id$/.test(member) && (field?.type ?? 'string') === 'string';

/** True for members that a deployment may fill or change by itself, so that what was sent need not come back. */
export const isServerFilled = (family: Family, member: string): boolean =>
  vendorFacts(family.name).serverFilled?.includes(member) ?? false;

/** Numeric range of a member; `or` are the numbers beside it that ask for one to be generated. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly or: readonly number[];
}

export function rangeOf(field: Pick<Field, 'type'> | undefined): NumberRange | undefined {
  const type = field?.type;
  if (typeof type !== 'object' || !('range' in type)) return undefined;
  return { low: type.range[0], high: type.range[1], or: type.or };
}

/** True if the table gives the member a numeric range: its numbers differ within the family. */
export const isNumbered = (family: Family, member: string): boolean => rangeOf(fieldsOf(family)[member]) !== undefined;

const membersOf = (family: Family | undefined, fits: (field: Field) => boolean): readonly string[] =>
  sentFields(family, 'create').flatMap(([member, field]) => (fits(field) ? [member] : []));

export const rangedMembers = (family: Family): readonly string[] =>
  membersOf(family, (field) => rangeOf(field) !== undefined);

export const enumeratedMembers = (family: Family | undefined): readonly string[] =>
  membersOf(family, ({ type }) => typeof type === 'object' && 'oneOf' in type);

/** Another listed value than it has, for each member whose table lists the values. */
export function otherListed(family: Family, now: JsonObject): Readonly<Record<string, string>> {
  const entries = sentFields(family, 'create').flatMap(([member, { type }]): [string, string][] => {
    if (typeof type !== 'object' || !('oneOf' in type)) return [];
    const next = type.oneOf[(type.oneOf.indexOf(String(now[member])) + 1) % type.oneOf.length];
    return next === undefined ? [] : [[member, next]];
  });
  return Object.fromEntries(entries);
}

/** A free text of the family, beside its name, that checks can write and read back; its name where it has no other. */
export function textMember(family: Family): string | undefined {
  const members = sentFields(family, 'create').map(([member]) => member);
  return members.includes('description') ? 'description' : nameMember(family);
}

/** Families that records of this one are created in: itself, or those it is a view of. */
export const homesOf = (name: string, table: FamilyTable): readonly string[] =>
  [name, ...(table[name]?.viewOf ?? [])].filter((home) => isCreatable(table[home]));
