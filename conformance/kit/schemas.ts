import * as z from 'zod';
import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import { type Family, type Field, type FieldType, fieldsOf } from '../../lib/contract/types.ts';
import { type VendorFacts, vendorFacts } from '../../lib/contract/vendor.ts';
import { entriesOf, holdsNothing, type JsonObject } from '../../lib/wire/answer.ts';
import { MAC } from '../../lib/wire/endpoint.ts';
import type { Deviation } from './check.ts';

function typeSchema(type: FieldType): z.ZodType {
  if (type === 'string') return z.string();
  // One beyond 2 to the power of 53 is an integer too.
  if (type === 'integer') return z.number().refine(Number.isInteger, 'an integer');
  if (type === 'number') return z.number();
  if (type === 'boolean') return z.boolean();
  if (type === 'object') return z.looseObject({});
  if (type === 'object[]') return z.array(z.looseObject({}));
  if (type === 'string[]') return z.array(z.string());
  if ('oneOf' in type) return z.enum(type.oneOf as [string, ...string[]]);
  const { range, or } = type;
  // One that asks for a generated number may be shown until there is one: whether it is made is for the model to tell.
  return z.int().refine((value) => or.includes(value) || (value >= range[0] && value <= range[1]));
}

function typeText(type: FieldType): string {
  if (typeof type === 'string') return type;
  return 'oneOf' in type ? `one of ${type.oneOf.join(', ')}` : `integer from ${type.range[0]} to ${type.range[1]}`;
}

function memberSchema({ nullable, ...field }: Field, schemaOf: (field: Field, name: string) => z.ZodType): z.ZodType {
  if (nullable === true) return memberSchema(field, schemaOf).nullable();
  if (field.form === 'mac') return z.string().regex(MAC);
  const { type, members } = field;
  if (members === undefined || (type !== 'object' && type !== 'object[]')) return typeSchema(type);
  const inner = z.looseObject(
    Object.fromEntries(Object.entries(members).map(([name, held]) => [name, schemaOf(held, name).optional()])),
  );
  return type === 'object' ? inner : z.array(inner);
}

const strictSchema = (field: Field): z.ZodType => memberSchema(field, strictSchema);

function tolerantSchema(path: string, field: Field, facts: VendorFacts): z.ZodType {
  const type = facts.toleratedTypes?.[path];
  const values = facts.toleratedValues?.[path];
  if (facts.guessedTypes?.includes(path) === true) return z.unknown();
  const accepted = [
    memberSchema(field, (held, name) => tolerantSchema(`${path}.${name}`, held, facts)),
    ...(type === undefined ? [] : [typeSchema(type)]),
    ...(values === undefined ? [] : [z.literal([...values])]),
  ];
  return z.union(accepted as [z.ZodType, ...z.ZodType[]]);
}

/**
 * Schema of a record in an answer, from the field table of its family: listed members are typed, others allowed, optional ones may be
 * absent or null: the model tells if they hold what was written. `tolerant` also takes what real deployments are recorded to answer.
 */
function recordSchema(family: Family, kind: 'strict' | 'tolerant') {
  const facts = vendorFacts(family.name);
  const members = Object.entries({ id: { type: 'string' } as Field, ...fieldsOf(family) }).map(([member, field]) => {
    const schema = kind === 'strict' ? strictSchema(field) : tolerantSchema(member, field, facts);
    const required = field.required === true && !(kind === 'tolerant' && facts.toleratedAbsent?.includes(member));
    return [member, required ? schema : schema.nullish()];
  });
  return z.looseObject(Object.fromEntries(members) as Record<string, z.ZodType>);
}

/** Schemas of the records of a family, and of the entries of its lists, in which all members are optional but for the id. */
function newSchemas(family: Family) {
  const [strict, tolerant] = [recordSchema(family, 'strict'), recordSchema(family, 'tolerant')];
  const entry = (schema: typeof strict) => schema.partial().required({ id: true });
  return { record: { strict, tolerant }, entry: { strict: entry(strict), tolerant: entry(tolerant) } };
}

/** Schemas already made: a run judges tens of thousands of records, and making a schema costs more than using it. */
const SCHEMAS = new WeakMap<Family, ReturnType<typeof newSchemas>>();

const Link = z.looseObject({ [LIST_ENVELOPE.href]: z.string() });
const NoLink = z.union([z.literal(''), z.custom(holdsNothing)]);

/** Schema of a list answer: section "List query parameters", last paragraph. */
export const listSchema = z.looseObject({
  [LIST_ENVELOPE.root]: z
    .looseObject({
      [LIST_ENVELOPE.items]: z.array(z.looseObject({})).nullish(),
      [LIST_ENVELOPE.next]: z.union([Link, NoLink]).optional(),
    })
    .refine((result) => entriesOf({ json: { [LIST_ENVELOPE.root]: result } }) !== undefined, 'no list'),
});

/** Requirement that a member breaks; one that is missing breaks the requirement that it is there, which differs by family. */
function requirementOf(member: string, field: Field | undefined, isAbsent: boolean): string {
  if (isAbsent) return 'required';
  if (member === 'id') return 'RES-ID';
  return field?.form === 'mac' ? 'RES-MAC' : 'RES-TYPE';
}

const shown = (value: unknown) => (value === undefined ? 'absent' : (JSON.stringify(value)?.slice(0, 80) ?? 'absent'));

/** What is not as the field table says in one record; `entry` for a list entry, where only the id has to be there. */
export function deviationsOf(family: Family, record: unknown, form: 'record' | 'entry'): Deviation[] {
  const schemas = SCHEMAS.get(family) ?? newSchemas(family);
  SCHEMAS.set(family, schemas);
  const strict = schemas[form].strict.safeParse(record);
  if (strict.success) return [];
  const tolerant = schemas[form].tolerant.safeParse(record);
  const hard = new Set(tolerant.error?.issues.map((issue) => String(issue.path[0])) ?? []);
  const fields = fieldsOf(family);
  const held: JsonObject = { ...(record as object) };
  return [...new Set(strict.error.issues.map((issue) => String(issue.path[0])))].map((member) => ({
    requirement: requirementOf(member, fields[member], held[member] === undefined),
    member,
    expected: fields[member]?.form === 'mac' ? 'colon-separated hex' : typeText(fields[member]?.type ?? 'string'),
    observed: shown(held[member]),
    tolerated: !hard.has(member),
  }));
}
