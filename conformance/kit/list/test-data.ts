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
 * Texts with the characters that told defects apart: dots, percent, underscore, star, space, plus, umlaut, CJK.
 * The plain decoys above answer to them where they are taken for patterns: `al_ha` is alpha, `a.b` is axb, `al*ha` is alha.
 */
const SPECIAL_TOKENS = ['a.b', 'a.b.c', 'al%ha', 'al_ha', 'al*ha', 'pl+us one', 'müller', '漢字'] as const;

export const TOKENS: readonly string[] = [...PLAIN_TOKENS, ...SPECIAL_TOKENS];

/**
 * Numbers whose order as text is not their order, one of which begins and ends with another; each with others to take where a record holds
 * it already.
 */
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

/** Token of the field that scopes the records; each record has its own. */
export function identityToken(index: number): string {
  return TOKENS[index % TOKENS.length] ?? 'beta';
}

/** Token of another text field; undefined where the record lacks the field. */
export function secondToken(index: number): string | undefined {
  const token = TOKENS[(index * STRIDE + 2) % TOKENS.length] ?? 'alpha';
  return LEFT_OUT.has(token) ? undefined : token;
}

/** A plain token in place of one that the target refuses. */
export function plainToken(index: number): string {
  return `p${String(index).padStart(2, '0')}x`;
}

/** Number that a record tries on its n-th attempt; undefined leaves the choice to the payload. */
export function ladderNumber(index: number, attempt: number): number | undefined {
  return NUMBERS[index]?.[attempt];
}
