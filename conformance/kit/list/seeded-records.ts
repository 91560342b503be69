import { type Family, type FamilyTable, type Field, fieldsOf } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import type { Fixture, SharedScope } from '../check.ts';
import { Blocked, CheckFailure } from '../fault.ts';
import { homesOf } from '../fields.ts';
import { isFreeText, isSettable, kindOf, listedValues } from './value.ts';

/** Texts without a character that means anything to a URL, a pattern or a collation. */
export const PLAIN_TOKENS = [
  'beta',
  'betamax',
  'xbeta',
  'xbetax',
  'alpha',
  'Beta',
  'alha',
  'axb',
  'zeta10',
  'zeta9',
] as const;

/**
 * Texts with the characters that told defects apart: dots, percent, underscore, star, plus, ampersand, space, umlaut, CJK.
 * The plain decoys above answer to them where they are taken for patterns: `al_ha` is alpha, `a.b` is axb, `al*ha` is alha.
 */
const SPECIAL_TOKENS = ['a.b', 'a.b.c', 'al%ha', 'al_ha', 'al*ha', 'pl us&+x', 'müller', '漢字'] as const;

const TOKENS: readonly string[] = [...PLAIN_TOKENS, ...SPECIAL_TOKENS];

/** Number of the record whose name holds what a URL has to encode. */
export const ENCODED = TOKENS.indexOf('pl us&+x');

/** Numbers whose order as text is not their order, one of which begins and ends with another; each with others for where it is in use. */
const NUMBERS: readonly (readonly number[])[] = [
  [31, 42, 53],
  [3131, 4242, 5353],
  [99, 98, 97],
  [1000, 1001, 1002],
  [9, 8, 7],
];

/** Steps through the tokens for a second text field, so that no order of one is the order of another. */
const STRIDE = 5;

/** The records whose second text would be one of these lack the field instead. */
const LEFT_OUT: ReadonlySet<string> = new Set(['xbetax', 'zeta10', 'zeta9']);

/** Token of another text field than the one that scopes the records; undefined if the record lacks the field. */
function secondToken(index: number): string | undefined {
  const token = TOKENS[(index * STRIDE + 2) % TOKENS.length] ?? 'alpha';
  return LEFT_OUT.has(token) ? undefined : token;
}

/** The text filter field whose values carry the run's prefix, so that a filter can select this run's records. */
export function identityField(family: Family): string | undefined {
  const texts = family.filters.filter((field) => kindOf(family, field) === 'text');
  if (texts.includes('name')) return 'name';
  return texts.find((field) => isSettable(family, field) && isFreeText(family, field)) ?? texts[0];
}

/** The number, or one of the range where it is outside: what is outside is refused. */
function within(field: Field | undefined, number: number, index: number): number {
  const [low, high] = field?.limits ?? [number, number];
  return number >= low && number <= high ? number : low + (index % (Math.floor(high - low) + 1));
}

/** One of the records: its number, what its name begins with, and the fields that lists are asked for. */
interface Seed {
  readonly index: number;
  readonly prefix: string;
  readonly fields: readonly string[];
}

/** What a record is asked to hold on its n-th attempt: first everything, then plain text for what may be refused. */
function wantedFields(family: Family, { index, prefix, fields }: Seed, attempt: number): Record<string, unknown> {
  const identity = fields.find((field) => field === identityField(family));
  const wanted: Record<string, unknown> = {};
  for (const field of fields) {
    if (!isSettable(family, field)) continue;
    const member = memberOf(family.name, field);
    const kind = kindOf(family, field);
    const listed = listedValues(family, field);
    if (listed !== undefined) wanted[member] = listed[index % listed.length];
    else if (kind === 'boolean') wanted[member] = index % 2 === 0;
    else if (kind === 'integer') {
      const number = NUMBERS[index]?.[attempt];
      if (number !== undefined) wanted[member] = within(fieldsOf(family)[member], number, index);
    } else if (!isFreeText(family, field)) continue;
    // A plain token in place of one that the target refuses.
    else if (field === identity)
      wanted[member] = prefix + (attempt === 0 ? TOKENS[index] : `p${String(index).padStart(2, '0')}x`);
    else if (attempt < 2) wanted[member] = secondToken(index);
    else {
      // A text that is taken in one form alone: what the definition shows of it, else what the payload makes.
      const shown = fieldsOf(family)[member]?.samples?.[index % 2];
      if (shown !== undefined) wanted[member] = shown;
    }
  }
  return wanted;
}

async function makeOne(scope: SharedScope, home: Family, seed: Seed): Promise<Fixture> {
  let refusal: unknown;
  for (const attempt of [0, 1, 2])
    try {
      return await scope.fixture(wantedFields(home, seed, attempt), home.name);
    } catch (fault) {
      if (!(fault instanceof Blocked)) throw fault;
      refusal = fault;
    }
  return scope.fixture({}, home.name).catch(() => {
    throw refusal;
  });
}

/**
 * Creates the seeded records: one record per token; `unread`: the failure of one that was made and cannot be read. A target that refuses a
 * character or a number gets a plain one instead. Throws `Blocked` if the first record is refused in every form.
 */
export async function seedRecords(
  scope: SharedScope,
  { name, table, prefix }: { readonly name: string; readonly table: FamilyTable; readonly prefix: string },
) {
  const homes = homesOf(name, table).map((home) => table[home] as Family);
  const { filters, sorts } = table[name] as Family;
  const fields = [...new Set([...filters, ...sorts])];
  const made: Fixture[] = [];
  let unread: CheckFailure | undefined;
  for (let index = 0; index < TOKENS.length; index += 1) {
    const home = homes[index % homes.length] as Family;
    try {
      made.push(await makeOne(scope, home, { index, prefix, fields }));
    } catch (fault) {
      if (made.length === 0 || !(fault instanceof Blocked || fault instanceof CheckFailure)) throw fault;
      if (fault instanceof CheckFailure) unread ??= fault;
    }
  }
  return { made, unread };
}
