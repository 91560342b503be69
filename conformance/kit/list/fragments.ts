import { OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import { NAME_START } from '../../../lib/run-name.ts';
import { CASE_RULES, holds } from './predicate.ts';
import type { Value } from './value.ts';

/** Fragments asked per field and operator; the same for all, so that the relations between operators share requests. */
export const FRAGMENTS = 4;

/** Letters, digits and what no URL, pattern or collation reads a meaning into. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z0-9:, -]*$/.test(text);
}

/** Text with the case of its letters turned; the same text where it has none. */
export function caseTurned(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}

/** What all texts start with. */
export function commonPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return texts.length < 2 ? '' : first.slice(0, length);
}

/** A shorter part of a name that this run gave may stand in its prefix, which has letters of the run's id: no two runs would see alike. */
const LEAST_ALONE = 3;

function partsOf(text: string, common: string): readonly string[] {
  const rest = text.slice(common.length);
  const half = Math.ceil(rest.length / 2);
  const alone = [rest, rest.slice(half), rest.slice(1, -1), rest.slice(0, half)];
  const least = common.startsWith(NAME_START) ? LEAST_ALONE : 1;
  return [text, common + rest.slice(0, half), ...alone.filter(({ length }) => length >= least)];
}

/** Values and parts of values that a filter may be asked for. */
export function candidates(values: readonly Value[]): readonly string[] {
  const texts = [...new Set(values.map(String))];
  const common = commonPrefix(texts);
  const parts = texts.filter(isPlain).flatMap((text) => partsOf(text, common));
  const turned = texts.filter(isPlain).slice(0, 1).map(caseTurned);
  const isNumeric = values.every((value) => typeof value === 'number');
  // A number written with a zero before it equals the number, and is another text.
  const isUsable = (part: string) =>
    part !== '' && part.trim() === part && (!isNumeric || String(Number(part)) === part);
  return [...new Set([...parts, ...turned])].filter(isUsable);
}

type Signature = Readonly<Record<Operator, string>>;

function signatureOf(values: readonly Value[], wanted: string): Signature {
  const row = (operator: Operator): string =>
    CASE_RULES.map((rule) => values.map((value) => (holds(operator, value, wanted, rule) ? 1 : 0)).join('')).join('|');
  return Object.fromEntries(OPERATOR_NAMES.map((operator) => [operator, row(operator)])) as Record<Operator, string>;
}

/** Pairs of operators that a fragment tells apart on these values, and operators for which it matches some and not all. */
function powersOf(values: readonly Value[], wanted: string): readonly string[] {
  const signature = signatureOf(values, wanted);
  const powers: string[] = [];
  for (const one of OPERATOR_NAMES) {
    const row = signature[one].split('|')[0] ?? '';
    if (row.includes('0') && row.includes('1')) powers.push(`${one}:both`);
    for (const other of OPERATOR_NAMES)
      if (one < other && signature[one] !== signature[other]) powers.push(`${one}/${other}`);
  }
  const [exact, folded] = signature.EQ.split('|');
  if (exact !== folded) powers.push('case');
  return powers;
}

/**
 * The fragments that together tell most operators apart on the given values (greedy cover); each counts until it was seen twice,
 * so that no difference hangs on one query.
 */
export function chooseFragments(values: readonly Value[], count = FRAGMENTS): readonly string[] {
  const open = candidates(values).map((fragment) => ({ fragment, powers: powersOf(values, fragment) }));
  const seen = new Map<string, number>();
  const gain = (powers: readonly string[]) =>
    powers.reduce((sum, power) => sum + Math.max(0, 2 - (seen.get(power) ?? 0)) ** 2, 0);
  const chosen: string[] = [];
  while (chosen.length < count && open.length > 0) {
    // Counted once for each, not once for each comparison.
    const gains = new Map(open.map(({ fragment, powers }) => [fragment, gain(powers)]));
    const gainOf = ({ fragment }: { readonly fragment: string }) => gains.get(fragment) ?? 0;
    open.sort((a, b) => gainOf(b) - gainOf(a));
    const best = open.shift();
    if (best === undefined || gainOf(best) === 0) break;
    chosen.push(best.fragment);
    for (const power of best.powers) seen.set(power, (seen.get(power) ?? 0) + 1);
  }
  return chosen;
}

const WHOLE_VALUES: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'LT'];

/** Fragments that an operator may be asked for: a part of a truth value is no truth value to compare with. */
export function fragmentsFor(
  operator: Operator,
  fragments: readonly string[],
  values: readonly Value[],
): readonly string[] {
  if (!WHOLE_VALUES.includes(operator) || typeof values[0] !== 'boolean') return fragments;
  return ['true', 'false'];
}
