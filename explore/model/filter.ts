import { CASE_RULES, holds } from '../../conformance/kit/list/predicate.ts';
import { kindOf, type Value, valueIn } from '../../conformance/kit/list/value.ts';
import { shown } from '../../conformance/kit/record/record-reads.ts';
import type { Family } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Filter } from '../../lib/wire/query.ts';
import type { Criterion, Operand, StepOf } from '../draw/step.ts';
import type { Held, World } from './world.ts';

/** Other ways to leave the case out of account: some letters are one in capitals and two in small ones, such as ß and SS. */
const FOLDS: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toUpperCase().toLowerCase(),
];

const turned = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** The operand as text: a part of a value that a record of the sequence holds, so that filters tell records apart. */
function operandText({ held }: World, member: string, { of, part, text }: Operand): string {
  const value = held[of % Math.max(1, held.length)]?.fields[member];
  if (part === 'pool' || value === undefined || typeof value === 'object') return text;
  const whole = String(value);
  const signs = [...whole];
  const third = Math.max(1, Math.floor(signs.length / 3));
  const parts = {
    whole,
    start: signs.slice(0, Math.max(1, signs.length - 2)).join(''),
    end: signs.slice(-third).join(''),
    middle: signs.slice(third, 2 * third).join(''),
    'other-case': turned(whole),
  };
  return parts[part] === '' ? whole : parts[part];
}

const NUMERIC = ['EQ', 'NEQ', 'GT', 'LT'];

/** The filter of a criterion on a family; undefined where no request could ask it. */
export function filterOf(
  world: World,
  family: Family,
  { field: index, operator, operand }: Criterion,
): Filter | undefined {
  const field = family.filters[index % family.filters.length];
  if (field === undefined) return undefined;
  const value = operandText(world, memberOf(family.name, field), operand);
  if (value.trim() === '') return undefined;
  const kind = kindOf(family, field);
  if (kind === 'integer' && NUMERIC.includes(operator) && !/^-?\d{1,12}$/.test(value)) return undefined;
  if (kind === 'boolean' && (operator === 'GT' || operator === 'LT' || !/^(true|false)$/.test(value))) return undefined;
  return { field, operator, value };
}

/** What every reading of the specification says of a record; undefined where readings differ. */
function verdict(
  family: Family,
  { fields }: Held,
  { field, operator, value }: Filter,
  prefix: string,
): boolean | undefined {
  const kind = kindOf(family, field);
  const got: Value | undefined = valueIn(fields, memberOf(family.name, field), kind);
  // What an absent value is compared as is not shown.
  if (got === undefined) return undefined;
  const isOrder = operator === 'GT' || operator === 'LT';
  // Whether blanks at the ends count is the target's own, and so is the order of texts beyond plain small letters;
  // but no order puts a text before or after itself.
  const isKnown = got === value || (isPlainText(String(got), prefix) && isPlainText(value, prefix));
  if (isOrder && kind === 'text' && !isKnown) return undefined;
  if (kind === 'text' && (value !== value.trim() || (typeof got === 'string' && got !== got.trim()))) return undefined;
  const readings = [
    ...CASE_RULES.map((rule) => holds(operator, got, value, rule)),
    ...(typeof got === 'string' ? FOLDS.map((fold) => holds(operator, fold(got), fold(value), 'sensitive')) : []),
  ];
  return readings.every((each) => each === readings[0]) ? readings[0] : undefined;
}

const isLetters = (text: string) => /^[a-z]+$/.test(text);

/** Whether the list holds the record; undefined where readings of the specification differ. */
export function expectedOf(
  family: Family,
  held: Held,
  filters: readonly Filter[],
  join: StepOf<'list'>['join'],
  prefix: string,
): boolean | undefined {
  const told = filters.map((filter) => verdict(family, held, filter, prefix));
  if (join === 'or') return told.includes(true) ? true : told.includes(undefined) ? undefined : filters.length === 0;
  return told.includes(false) ? false : told.includes(undefined) ? undefined : true;
}

/** Two records of a sorted list that are the wrong way round in any collation. */
export function misplaced(
  { held, context }: World,
  family: Family,
  field: string,
  descending: boolean,
  ids: readonly string[],
): string | undefined {
  const kind = kindOf(family, field);
  const member = memberOf(family.name, field);
  const values = ids.flatMap((id) => {
    const value = valueIn(held.find((each) => each.id === id)?.fields ?? {}, member, kind);
    return value === undefined || (kind === 'text' && !isPlainText(String(value), context.run.prefix)) ? [] : [value];
  });
  for (let index = 1; index < values.length; index += 1) {
    const [a, b] = descending ? [values[index], values[index - 1]] : [values[index - 1], values[index]];
    if (a !== undefined && b !== undefined && a > b)
      return `${shown(values[index - 1])} before ${shown(values[index])}`;
  }
  return undefined;
}

/** Small letters, and names of the run, which have small letters after the same beginning. */
const isPlainText = (text: string, prefix: string) =>
  isLetters(text) || (text.startsWith(prefix) && isLetters(text.slice(prefix.length)));
