import { OPS } from '../lib/contract/operations.ts';
import { type Family, type FamilyTable, type FieldType, fieldsOf } from '../lib/contract/types.ts';
import { vendorFacts } from '../lib/contract/vendor.ts';
import { isObject } from '../lib/wire/answer.ts';
import { invalidField, missingFields, Problem } from './answers/problem.ts';
import type { Fields, Rules, Seams } from './seams.ts';

/** Range of the values of a type; undefined for a type that has none. */
export const rangeOf = (type: FieldType | undefined) =>
  typeof type === 'object' && 'range' in type ? type.range : undefined;

/** Types of all members that a body of a family may hold. */
export const typesOf = (name: string, family: Family | undefined): Readonly<Record<string, FieldType>> => ({
  id: 'string',
  ...vendorFacts(name).members,
  ...Object.fromEntries(Object.entries(fieldsOf(family)).map(([field, { type }]) => [field, type])),
});

const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Ids that no path can carry, or that are words of the paths themselves. */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  '.',
  '..',
  ...Object.values(OPS).flatMap(({ path }) => path.split('/').filter((word) => /^[a-z]+$/.test(word))),
]);

function typeName(type: FieldType): string {
  if (typeof type === 'string') return type;
  return 'oneOf' in type ? 'text' : 'integer';
}

const wrongType = (field: string, type: FieldType) =>
  new Problem(400, 'schema', `Invalid JSON: Can not deserialize field '${field}': expected ${typeName(type)}`);

function checkedInteger(field: string, type: FieldType, value: unknown): number {
  // Real clients send integers as digits; they are stored as numbers.
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (!Number.isSafeInteger(value)) throw wrongType(field, type);
  return value as number;
}

/** Whether a value is of a type that has no list of values and no range. */
const IS_OF: Readonly<Record<Exclude<FieldType, object | 'integer'>, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: Number.isFinite,
  object: isObject,
  'object[]': (value) => Array.isArray(value) && value.every(isObject),
  'string[]': Array.isArray,
};

/** A value in the type of its field. Throws `Problem` that names the field. */
function checkedValue({ rules }: Seams, field: string, type: FieldType, value: unknown): unknown {
  if (typeof type === 'object' && 'oneOf' in type) {
    if (typeof value !== 'string') throw wrongType(field, type);
    if (!rules.isListed(value, type.oneOf))
      throw invalidField(field, `'${value}' is not one of ${type.oneOf.join(', ')}`);
    return value;
  }
  if (typeof type === 'string' && type !== 'integer') {
    if (!IS_OF[type](value)) throw wrongType(field, type);
    return value;
  }
  const number = checkedInteger(field, type, value);
  if (typeof type === 'object' && !rules.inRange(number, type.range, type.or))
    throw invalidField(field, `${number} is not in the range ${type.range.join(' to ')}, nor ${type.or.join(' or ')}`);
  return number;
}

/** Members that a create lacks. What a variation needs is a body field of the family: a client can send no other. */
function missing(name: string, seams: Seams, listed: Fields, known: Fields, fields: Fields): readonly string[] {
  const chosen = seams.dialect.requiredOnCreate.filter((field) => field in listed);
  const needed = [...(vendorFacts(name).requiredOnCreate ?? []), ...chosen];
  return [...new Set(needed)].filter(
    (field) => field in known && (fields[field] === undefined || fields[field] === ''),
  );
}

/** What bodies may hold: types and ranges of the field tables, and the choices where those are silent. */
export function createRules(table: FamilyTable, seams: Seams): Rules {
  const takesId = (name: string) => fieldsOf(table[name])['id']?.sentOn === 'create+update';

  return {
    check: (name, op, fields) => {
      const types = typesOf(name, table[name]);
      const checked: Record<string, unknown> = {};
      for (const [field, value] of Object.entries(fields)) {
        // A client that sends back what it read sends the link too; null means unset.
        if (field === 'link' || value === null || value === undefined) continue;
        // A plain look-up would find `constructor` and the like on every object.
        const type = Object.hasOwn(types, field) ? types[field] : undefined;
        if (type === undefined) throw new Problem(400, 'schema', `Invalid JSON: Unrecognized field '${field}'`);
        checked[field] = checkedValue(seams, field, type, value);
      }
      if (op === 'create' && !takesId(name)) delete checked['id'];
      const { id } = checked;
      if (typeof id === 'string' && (!SAFE_ID.test(id) || RESERVED_IDS.has(id)))
        throw invalidField('id', 'letters, digits, dots, dashes and underscores, at most 64, and no word of a path');
      const lacking = op === 'create' ? missing(name, seams, fieldsOf(table[name]), types, checked) : [];
      if (lacking.length > 0) throw missingFields(lacking);
      const { refusedNames } = seams.dialect;
      if (refusedNames !== null && typeof checked['name'] === 'string' && refusedNames.test(checked['name']))
        throw invalidField('name', 'it holds characters that are not accepted');
      return checked;
    },
    inRange: (value, [least, most], or) => (value >= least && value <= most) || or.includes(value),
    isListed: (value, listed) => listed.includes(value),
    distinct: (name, fields, ownId) => {
      if (seams.dialect.duplicates === 'allow') return;
      for (const member of vendorFacts(name).unique ?? []) {
        const other = fields[member] === undefined ? undefined : seams.store.find(name, member, fields[member]);
        if (other !== undefined && other.id !== ownId)
          throw new Problem(400, 'crud', `${member} '${String(fields[member])}' already exists`);
      }
      const id = fields['id'];
      if (ownId === undefined && typeof id === 'string' && seams.store.get(name, id) !== undefined)
        throw new Problem(400, 'crud', `id '${id}' already exists`);
    },
    fill: (name, fields) => {
      const filled: Record<string, unknown> = { ...fields };
      for (const [field, type] of Object.entries(typesOf(name, table[name]))) {
        const range = rangeOf(type);
        if (range === undefined || filled[field] !== -1) continue;
        filled[field] = freeValue(range, (value) => seams.store.find(name, field, value) === undefined);
      }
      return filled;
    },
  };
}

/** Lowest value of a range that no record holds, counted from the middle: the ends stay free for those who ask for them. */
function freeValue([least, most]: readonly [number, number], isFree: (value: number) => boolean): number {
  const size = most - least + 1;
  const start = Math.floor(size / 4);
  for (let step = 0; step < size; step += 1) {
    const value = least + ((start + step) % size);
    if (isFree(value)) return value;
  }
  throw new Problem(400, 'crud', `no value from ${least} to ${most} is free`);
}
