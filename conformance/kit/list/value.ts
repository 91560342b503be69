import type { Operator } from '../../../lib/contract/list.ts';
import type { Level } from '../../../lib/contract/requirements.ts';
import { type Family, type FieldType, fieldsOf, isNumber } from '../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../lib/contract/vendor.ts';
import type { JsonObject } from '../../../lib/wire/answer.ts';
import { isPointer, rangeOf } from '../fields.ts';

export type Value = string | number | boolean;

/** How a field is compared. Fields whose type the specification does not show are text. */
export type Kind = 'text' | 'integer' | 'boolean';

function typeOf(family: Family, field: string): FieldType {
  const member = memberOf(family.name, field);
  return fieldsOf(family)[member]?.type ?? vendorFacts(family.name).members?.[member] ?? 'string';
}

export function kindOf(family: Family, field: string): Kind {
  const type = typeOf(family, field);
  if (type === 'boolean') return 'boolean';
  return isNumber(type) ? 'integer' : 'text';
}

/** How firmly an operator is specified on a field: orders of texts and truth values are not, parts of numbers and truth values implied. */
export function bindingOf(family: Family, field: string, operator: Operator): Level {
  const kind = kindOf(family, field);
  if (operator === 'GT' || operator === 'LT') return kind === 'integer' ? 'stated' : 'gap';
  return kind === 'text' || operator === 'EQ' || operator === 'NEQ' ? 'stated' : 'implied';
}

/** True if a create body may carry the member that the field reads. */
export function isSettable(family: Family, field: string): boolean {
  const row = fieldsOf(family)[memberOf(family.name, field)];
  return row !== undefined && row.sentOn !== 'never' && row.sentOn !== 'update';
}

export function listedValues(family: Family, field: string): readonly string[] | undefined {
  const type = typeOf(family, field);
  return typeof type === 'object' && 'oneOf' in type ? type.oneOf : undefined;
}

/** True if the member of a field takes texts of any form: no address, no secret, no record of another family, no listed values. */
export function isFreeText(family: Family, field: string): boolean {
  const row = fieldsOf(family)[memberOf(family.name, field)];
  const isTied = row?.form === 'mac' || row?.secret === true || row?.refersTo !== undefined;
  return typeOf(family, field) === 'string' && !isTied;
}

/** Value that a filter or sort field of the family reads in a record; undefined if it is absent, null or empty, which are one. */
export function heldIn(family: Family, record: JsonObject, field: string): Value | undefined {
  const raw = record[memberOf(family.name, field, record)];
  const kind = kindOf(family, field);
  if (raw === undefined || raw === null || raw === '') return undefined;
  if (kind === 'integer') return Number.isFinite(Number(raw)) ? Number(raw) : undefined;
  if (kind === 'boolean')
    return raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined;
  return ['string', 'number', 'boolean'].includes(typeof raw) ? String(raw) : undefined;
}

/** True for a number that no record can hold under the field, by the range of its table. */
export function isOutside(family: Family, field: string, operand: string): boolean {
  const range = rangeOf(fieldsOf(family)[memberOf(family.name, field)]);
  return range !== undefined && !(Number(operand) >= range.low && Number(operand) <= range.high);
}

/** True for the text of a UUID, with or without hyphens. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(text);

/** True for a text that no id can be, under a field that holds one: "All ids are strings (resource UUIDs)". */
export const isNoId = (family: Family, field: string, operand: string): boolean =>
  isPointer(field, fieldsOf(family)[memberOf(family.name, field)]) && !isUuid(operand);

/** Letters, digits and what no URL, pattern or collation reads a meaning into. */
export const isPlain = (text: string): boolean => /^[A-Za-z0-9:, -]*$/.test(text);

/** Text with the case of its letters turned; the same text where it has none. */
export const caseTurned = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** True for a truth value that is off, and for zero: answers without defaults leave them out. */
export const isOff = (value: unknown): boolean => value === false || value === 0;

/** True if a value, or one inside of it, is off or zero. */
export const holdsOff = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsOff) : isOff(value);

/** True for what holds nothing: that an empty text, list or object and an absent member differ is not stated. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** Whether upper and lower case are the same; the specification does not say, so either is allowed, but only one. */
export type CaseRule = 'sensitive' | 'insensitive';

function order(left: Value, wanted: string): number {
  if (typeof left === 'number') return Math.sign(left - Number(wanted));
  const text = String(left);
  return text < wanted ? -1 : text > wanted ? 1 : 0;
}

/** The meaning of the ten operators: section "List query parameters". The text operators read a number or boolean as written. */
const MEANING: Readonly<Record<Operator, (value: Value, wanted: string) => boolean>> = {
  EQ: (value, wanted) => order(value, wanted) === 0,
  NEQ: (value, wanted) => order(value, wanted) !== 0,
  GT: (value, wanted) => order(value, wanted) > 0,
  LT: (value, wanted) => order(value, wanted) < 0,
  STARTSW: (value, wanted) => String(value).startsWith(wanted),
  NSTARTSW: (value, wanted) => !String(value).startsWith(wanted),
  ENDSW: (value, wanted) => String(value).endsWith(wanted),
  NENDSW: (value, wanted) => !String(value).endsWith(wanted),
  CONTAINS: (value, wanted) => String(value).includes(wanted),
  NCONTAINS: (value, wanted) => !String(value).includes(wanted),
};

export const holds = (operator: Operator, value: Value, wanted: string): boolean => MEANING[operator](value, wanted);
