import { type Family, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { nameMember } from '../kit/fields.ts';
import { type CaseRule, heldIn, holds, type Kind, kindOf, type Value } from '../kit/list/value.ts';
import { areOrderedAddresses } from './address.ts';
import type { Fields } from './history.ts';
import { isGenerated } from './member.ts';
import type { ListQuestion } from './observation.ts';

/** What is known of how a target compares: each fact that is not told leaves open what depends on it. */
export interface Comparing {
  /** Whether upper and lower case are the same; undefined if nobody found out. */
  readonly caseRule: CaseRule | undefined;
}

type Reading = (text: string) => string;

const asItIs: Reading = (text) => text;

const lowerCase: Reading = (text) => text.toLowerCase();

/** Ways to leave out case. Beyond ASCII they differ: `ß` is `SS` in capitals, `İ` two small characters. *Implied*: none is specified. */
const CASE_FOLDS: readonly Reading[] = [
  (text) => text.replace(/[A-Z]/g, lowerCase),
  lowerCase,
  (text) => text.toUpperCase(),
  (text) => text.toUpperCase().toLowerCase(),
];

/** A text without accents and signs that nobody sees: a collation may leave them out of account. *Implied*: no collation is shown. */
const withoutAccents: Reading = (text) => text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');

/** Runs of blanks as one: a directory compares texts so (RFC 4518, 2.6.1). *Implied*: no matching rule is shown. */
const squeezed: Reading = (text) => text.replace(/ {2,}/g, ' ');

const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text);

/** All readings of texts that the target may have, as far as they can differ on these two. */
function readingsOf(texts: readonly string[], caseRule: CaseRule | undefined): readonly Reading[] {
  const isPlain = texts.every(isAscii);
  const folds = isPlain ? [lowerCase] : CASE_FOLDS;
  const plain = [...(caseRule === 'insensitive' ? [] : [asItIs]), ...(caseRule === 'sensitive' ? [] : folds)];
  const isSpread = texts.some((text) => text.includes('  '));
  if (isPlain && !isSpread) return plain;
  const changes = [asItIs, ...(isSpread ? [squeezed] : [])];
  if (!isPlain) changes.push(withoutAccents, (text) => text.normalize('NFD'));
  const both = (change: Reading) => plain.map((fold) => (text: string) => fold(change(text)));
  return changes.flatMap(both);
}

/** How a target may read a text: trimmed or not, composed or not. *Implied*: none takes a composed one apart on one side alone. */
const formsOf = (text: string): readonly string[] =>
  isAscii(text)
    ? [...new Set([text, text.trim()])]
    : [...new Set([text, text.normalize('NFC')].flatMap((each) => [each, each.trim()]))];

/** True if every collation orders two texts alike: small letters, one case, addresses, numbers. *Implied*: letters stand alone. */
export function isPlainlyOrdered(one: string, other: string): boolean {
  if (areOrderedAddresses(one, other)) return true;
  if ([one, other].every((text) => /^\d{1,15}$/.test(text)))
    return Number(one) < Number(other) === one < other && Number(one) !== Number(other);
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  const [first, second] = [one, other].map((text) => text.slice(common)) as [string, string];
  const isOfOneCase = [/^[a-z]/, /^[A-Z]/].some((letter) => letter.test(first) && letter.test(second));
  // Digits that nothing follows, as many in both.
  if (first.length === second.length && [first, second].every((text) => /^\d+$/.test(text))) return true;
  return isOfOneCase || [first, second].every((text) => /^[a-z]*$/.test(text));
}

/** A number as JSON writes it: every deployment reads it as that number. */
const isPlainNumber = (text: string): boolean => /^(0|-?[1-9]\d{0,14})$/.test(text);

/** A number with zeros or a sign that JSON would not write. */
const isOtherNumber = (text: string): boolean => /^[-+]?\d{1,20}(\.0*)?$/.test(text);

/** Readings of a filter on an integer; none if it is open. A part of a number is a part of what JSON writes. */
function numberAnswers(got: number, { operator, value }: Filter): readonly boolean[] {
  const isEqual = operator === 'EQ' || operator === 'NEQ';
  if (!isEqual && operator !== 'GT' && operator !== 'LT') return [holds(operator, String(got), value)];
  const asNumber = holds(operator, got, value);
  if (isPlainNumber(value)) return [asNumber];
  // *Implied*: an operand in another written form is that number, or a text that no number is written as.
  if (isOtherNumber(value)) return isEqual ? [asNumber, operator === 'NEQ'] : [asNumber];
  // What has no digit equals no number; what it is compared as otherwise is not shown.
  return operator === 'EQ' && !/\p{N}/u.test(value) ? [false] : [];
}

/** Readings of a filter on a text; none if it is open. */
function textAnswers(got: string, { operator, value }: Filter, caseRule: CaseRule | undefined): readonly boolean[] {
  const isOrder = operator === 'GT' || operator === 'LT';
  // No order puts a text before or after itself, unless one side may be taken for another; of other texts it is open unless it is plain.
  if (isOrder && got === value) return formsOf(got).length === 1 ? [false] : [];
  if (isOrder && !isPlainlyOrdered(got, value)) return [];
  const readings = readingsOf([got, value], caseRule);
  const [held, wanted] = [got, value].map(formsOf) as [readonly string[], readonly string[]];
  if ([...held, ...wanted].includes('')) return [];
  // Each text is read once each way: a reading of a long text costs more than all comparisons with it.
  return readings.flatMap((read) => {
    const operands = wanted.map(read);
    return held.map(read).flatMap((text) => operands.map((operand) => holds(operator, text, operand)));
  });
}

function answersOf(kind: Kind, got: Value, filter: Filter, caseRule: CaseRule | undefined): readonly boolean[] {
  if (typeof got === 'number') return numberAnswers(got, filter);
  const { operator, value } = filter;
  if (kind === 'boolean') {
    // Which truth value is the greater one is not shown, nor what else stands for one; none is greater or less than itself.
    if (operator === 'GT' || operator === 'LT') return String(got) === value ? [false] : [];
    if ((operator === 'EQ' || operator === 'NEQ') && value !== 'true' && value !== 'false') return [];
  }
  // What was found out of the case of texts says nothing of truth values.
  return textAnswers(String(got), filter, kind === 'boolean' ? undefined : caseRule);
}

/** Value of a filter or sort field in what is known of a record; undefined if it is absent, empty, generated or not known. */
export function fieldValue(family: Family, fields: Fields, field: string): Value | undefined {
  const member = memberOf(family.name, field, fields);
  if (isGenerated(family, member, fields[member])) return undefined;
  const value = heldIn(family, fields, field);
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

/** Must a record with these members be shown? Undefined if readings differ. Source: "List query parameters", the ten operators. */
export function matches(family: Family, fields: Fields, filter: Filter, { caseRule }: Comparing): boolean | undefined {
  const got = fieldValue(family, fields, filter.field);
  // What an absent value is compared as is not shown, nor what an empty operand means.
  if (got === undefined || filter.value === '') return undefined;
  const { form } = fieldsOf(family)[memberOf(family.name, filter.field, fields)] ?? {};
  const isMac = form === 'mac';
  // The notes give the form of an address, and not the case of its letters; what else may stand for one is not shown.
  if (isMac && !/^[0-9a-f:]*$/i.test(filter.value)) return undefined;
  // What was found out of the case of names says nothing of other columns.
  const isName = !isMac && memberOf(family.name, filter.field, fields) === nameMember(family);
  const [first, ...others] = answersOf(kindOf(family, filter.field), got, filter, isName ? caseRule : undefined);
  return others.every((each) => each === first) ? first : undefined;
}

/** Does a list hold a record, by what each filter says of it? Source: "List query parameters", filterType: AND, and OR if asked for. */
export function joined(told: readonly (boolean | undefined)[], join: 'and' | 'or' | undefined): boolean | undefined {
  const decides = join === 'or' && told.length > 0;
  if (told.includes(decides)) return decides;
  return told.includes(undefined) ? undefined : !decides;
}

type Joined = Pick<ListQuestion, 'filters' | 'join'>;

export function matchesAll(family: Family, fields: Fields, { filters, join }: Joined, comparing: Comparing) {
  const told = filters.map((filter) => matches(family, fields, filter, comparing));
  return joined(told, join);
}
