import { type Family, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { CASE_RULES, type CaseRule, holds } from '../kit/list/predicate.ts';
import { type Kind, kindOf, type Value, valueIn } from '../kit/list/value.ts';
import type { Fields } from './history.ts';
import { addressOf } from './value.ts';

/** What is known of how a target compares: each fact that is not told leaves open what depends on it. */
export interface Comparing {
  /** Whether upper and lower case are the same; undefined if nobody found out. */
  readonly caseRule: CaseRule | undefined;
}

/** Other ways to leave the case out of account: some letters are one in capitals and two in small ones, such as ß and SS. */
const FOLDS: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toUpperCase().toLowerCase(),
  // A collation may ignore accents as well as case.
  (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
];

const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text);

/** Where the digits and the letters of an address are: a collation may order them as numbers. */
const shapeOf = (group: string | undefined): string | undefined => group?.replace(/\d/g, '0').replace(/[A-F]/g, 'A');

/** True if two addresses in one spelling first differ in bytes that have their letters at the same places. */
function areOrderedAddresses(one: string, other: string): boolean {
  if (addressOf(one) === undefined || addressOf(other) === undefined) return false;
  const [groups, others] = [one.split(':'), other.split(':')];
  const at = groups.findIndex((group, index) => group !== others[index]);
  return groups.length === 6 && others.length === 6 && at >= 0 && shapeOf(groups[at]) === shapeOf(others[at]);
}

/**
 * True if every collation puts the two texts in the same order: what tells them apart are small letters alone, or bytes of an
 * address.
 */
export function isPlainlyOrdered(one: string, other: string): boolean {
  if (areOrderedAddresses(one, other)) return true;
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  return [one, other].every((text) => /^[a-z]*$/.test(text.slice(common)));
}

/** Numbers in any written form that a query may use. */
const isNumber = (text: string): boolean => /^-?\d{1,15}$/.test(text);

function isOpen(kind: Kind, got: Value, { operator, value }: Filter): boolean {
  const isOrder = operator === 'GT' || operator === 'LT';
  // Nothing says which truth value is the greater one, nor how a text is compared with a number.
  if (kind === 'boolean') return isOrder || (['EQ', 'NEQ'].includes(operator) && !/^(true|false)$/.test(value));
  if (kind === 'integer') return ['EQ', 'NEQ', 'GT', 'LT'].includes(operator) && !isNumber(value);
  const text = String(got);
  // Whether blanks at the ends count is the target's own, and so is the order of texts beyond plain small letters; but no
  // order puts a text before or after itself.
  if (text !== text.trim() || value !== value.trim()) return true;
  return isOrder && text !== value && !isPlainlyOrdered(text, value);
}

/**
 * What every reading of the specification says of a record with these members: must be shown, must not, or undefined if readings
 * differ. Source: "List query parameters", the ten operators.
 */
export function matches(family: Family, fields: Fields, filter: Filter, { caseRule }: Comparing): boolean | undefined {
  const kind = kindOf(family, filter.field);
  const got = valueIn(fields, memberOf(family.name, filter.field), kind);
  // What an absent value is compared as is not shown.
  if (got === undefined || filter.value === '' || isOpen(kind, got, filter)) return undefined;
  const { operator, value } = filter;
  // Nothing says whether an address is compared as a text or as the number that it is.
  const isAddress = fieldsOf(family)[memberOf(family.name, filter.field)]?.form === 'mac';
  const rules = caseRule === undefined || isAddress ? CASE_RULES : [caseRule];
  const isFolded = typeof got === 'string' && caseRule !== 'sensitive' && !(isAscii(got) && isAscii(value));
  const readings = [
    ...rules.map((rule) => holds(operator, got, value, rule)),
    ...(isFolded ? FOLDS.map((fold) => holds(operator, fold(String(got)), fold(value), 'sensitive')) : []),
    ...(typeof got === 'string' && got.normalize('NFC') !== got.normalize('NFD')
      ? [
          holds(operator, got.normalize('NFC'), value.normalize('NFC'), 'sensitive'),
          holds(operator, got.normalize('NFD'), value.normalize('NFD'), 'sensitive'),
        ]
      : []),
  ];
  return readings.every((each) => each === readings[0]) ? readings[0] : undefined;
}

/** Filters as a query joins them. */
export interface Criteria {
  readonly filters: readonly Filter[];
  readonly join?: 'and' | 'or' | undefined;
}

/** Whether a list holds a record with these members: repeated filters are joined by AND, and by OR if asked for. */
export function matchesAll(
  family: Family,
  fields: Fields,
  criteria: Criteria,
  comparing: Comparing,
): boolean | undefined {
  const { filters, join } = criteria;
  const told = filters.map((filter) => matches(family, fields, filter, comparing));
  if (join === 'or' && filters.length > 0)
    return told.includes(true) ? true : told.includes(undefined) ? undefined : false;
  return told.includes(false) ? false : told.includes(undefined) ? undefined : true;
}
