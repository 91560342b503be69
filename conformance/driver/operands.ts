import { COMPARING } from '../../lib/contract/list.ts';
import type { Family } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { caseTurned, heldIn, kindOf } from '../kit/list/value.ts';
import type { Known } from '../model/history.ts';
import { type Comparing, joined, matches } from '../model/match.ts';
import type { Criterion, Part } from '../steps/step.ts';

const otherForm = (text: string): string =>
  /^-?\d+$/.test(text) ? text.replace(/^(-?)/, '$10') : text.replaceAll(' ', '  ');

type Scalar = string | number | boolean;

const numeric = (value: Scalar, whole: string, told: (number: number) => string): string =>
  typeof value === 'number' ? told(value) : whole;

const PARTS: Partial<Readonly<Record<Part, (whole: string, value: Scalar) => string>>> = {
  start: (whole) => [...whole].slice(0, Math.max(1, [...whole].length - 2)).join(''),
  middle: (whole) => [...whole].slice(third(whole), 2 * third(whole)).join('') || whole,
  end: (whole) => [...whole].slice(-third(whole)).join(''),
  'other case': caseTurned,
  'other form': otherForm,
  'of nobody': (_, value) => numeric(value, 'nobodyhasthis', () => '64999'),
  zero: () => '0',
  negative: () => '-1',
  wrapped: (whole, value) => numeric(value, whole, (number) => String(2 ** 32 + number)),
  octal: (whole, value) => numeric(value, whole, (number) => `0${number.toString(8)}`),
  beyond: (_, value) => String(2 ** 16 + (typeof value === 'number' ? value : 5)),
};

/** The text if several of the values hold it, else a sign that is in about half of them: what records of others hold is not known before. */
function sharedText(text: string, values: readonly string[]): string {
  const holders = (part: string) => values.filter((value) => value.includes(part)).length;
  if (holders(text) > 1) return text;
  const far = (sign: string) => Math.abs(holders(sign) - values.length / 2);
  const [nearest = text] = [...new Set(values.join('').match(/[a-z0-9]/g))].sort((a, b) => far(a) - far(b));
  return nearest;
}

const third = (whole: string): number => Math.max(1, Math.floor([...whole].length / 3));

/** The operand of a criterion, from a record that holds the field; undefined if none does, or the operand cannot be sent. */
export function filterOf(
  family: Family,
  { field, operator, part, text }: Criterion,
  records: readonly Known[],
): Filter | undefined {
  const kind = kindOf(family, field);
  const holder = records.find(({ fields }) => heldIn(family, fields, field) !== undefined);
  const member = memberOf(family.name, field, holder?.fields);
  const former = holder?.former[member]?.find((each) => each !== '' && each !== holder.fields[member]);
  const value = part === 'former' ? former : holder === undefined ? undefined : heldIn(family, holder.fields, field);
  if (text === undefined && (value === undefined || typeof value === 'object')) return undefined;
  const held = () => records.flatMap(({ fields }) => heldIn(family, fields, field) ?? []).map(String);
  const given = part === 'shared' && text !== undefined ? sharedText(text, held()) : text;
  const operand = given ?? PARTS[part]?.(String(value), value as Scalar) ?? String(value);
  if (operand.trim() === '') return undefined;
  const isCompared = COMPARING.includes(operator);
  if (kind === 'integer' && isCompared && !/^-?\d{1,12}(?:\.\d{1,12})?$/.test(operand)) return undefined;
  const isTruth = /^(true|false)$/.test(operand);
  if (kind === 'boolean' && !isTruth && (isCompared || text === undefined)) return undefined;
  return { field, operator, value: operand };
}

type Told = readonly (boolean | undefined)[];

function shownBy(told: readonly Told[], records: number, join: 'and' | 'or'): string {
  const saidOf = (at: number) => told.map((each) => each[at]);
  return Array.from({ length: records }, (_, at) => joined(saidOf(at), join) === true).join();
}

const opposite = (told: Told): Told => told.map((each) => (each === undefined ? undefined : !each));

/** How many wrong ways of joining the filters would show other records, and of answering each; the first counts most, as it is what is asked about. */
function strength(told: readonly Told[], records: number, join: 'and' | 'or'): number {
  const right = shownBy(told, records, join);
  const fewer = [told.slice(0, 1), told.slice(-1), ...told.map((_, at) => told.toSpliced(at, 1))];
  const others = fewer.map((some) => shownBy(some, records, join));
  const wrong = [shownBy(told, records, join === 'and' ? 'or' : 'and'), ...others].filter((each) => each !== right);
  // What the others let through, or leave out, may hide a wrong answer to one.
  const decisive = told.map((each, at) => shownBy(told.with(at, opposite(each)), records, join) !== right);
  const isOpen = told.some((each) => each.includes(undefined));
  const ways = wrong.length + decisive.filter((each) => each).length;
  return (right.includes('true') ? 3 : 0) + (decisive[0] === true ? 6 : 0) + ways - (isOpen ? 0.5 : 0);
}

/** Criteria of the family that part the records: small texts that some hold and others do not. */
function candidates(family: Family, records: readonly Known[]): readonly Filter[] {
  return family.filters.flatMap((field): Filter[] => {
    const kind = kindOf(family, field);
    const values = [...new Set(records.flatMap(({ fields }) => heldIn(family, fields, field) ?? []))];
    const [first] = values;
    if (first === undefined) return [];
    if (kind === 'boolean') return [{ field, operator: 'EQ', value: String(first) }];
    if (kind === 'integer') {
      const middle = [...values].sort((a, b) => Number(a) - Number(b))[Math.floor(values.length / 2)];
      return [
        { field, operator: 'GT', value: String(middle) },
        { field, operator: 'LT', value: String(middle) },
        { field, operator: 'NEQ', value: String(first) },
      ];
    }
    const ends = [...new Set(values.map((value) => [...String(value)].slice(-1).join('')))]
      .filter((end) => /^[a-z0-9]$/.test(end))
      .slice(0, 4);
    return [
      ...ends.map((value): Filter => ({ field, operator: 'ENDSW', value })),
      ...ends.slice(0, 2).map((value): Filter => ({ field, operator: 'NENDSW', value })),
      ...values.slice(1, 3).map((value): Filter => ({ field, operator: 'EQ', value: String(value) })),
    ];
  });
}

interface Joining {
  readonly count: number;
  readonly join: 'and' | 'or';
  readonly field?: string | undefined;
  /** A field that none of these is on. */
  readonly but?: string | undefined;
  readonly comparing: Comparing;
}

/** Further filters beside the first, such that every wrong way of joining them shows other records. */
export function besides(
  family: Family,
  records: readonly Known[],
  first: readonly Filter[],
  { count, join, field, but, comparing }: Joining,
): readonly Filter[] {
  if (first.length >= count) return first;
  const keyOf = ({ field, operator, value }: Filter) => `${field}.${operator}.${value}`;
  const asked = new Set(first.map(keyOf));
  const pool = candidates(family, records).filter((each) => !asked.has(keyOf(each)) && each.field !== but);
  const fits = pool.filter((each) => field === undefined || each.field === field);
  const toldBy = (filter: Filter): Told => records.map(({ fields }) => matches(family, fields, filter, comparing));
  const told = new Map([...first, ...fits].map((filter) => [filter, toldBy(filter)]));
  const toldOf = (filters: readonly Filter[]) => filters.map((filter) => told.get(filter) ?? []);
  const strengthOf = (filters: readonly Filter[]) => strength(toldOf(filters), records.length, join);
  // What the one has left out, another one cannot: they are chosen together.
  const choices = (chosen: readonly Filter[]): readonly (readonly Filter[])[] =>
    chosen.length >= count || fits.every((each) => chosen.includes(each))
      ? [chosen]
      : fits.flatMap((each) => (chosen.includes(each) ? [] : choices([...chosen, each])));
  // Of those that tell alike, the first.
  const scored = choices(first).map((chosen) => ({ chosen, score: strengthOf(chosen) }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).chosen;
}
