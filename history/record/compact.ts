import type { ResultReport } from '../../lib/records/report.ts';
import type { HistoryLine } from './line.ts';

/**
 * Verdict of one result as one letter. `x` is a failure that the baseline expects, `k` one that passed when it was tried again in
 * the same run.
 */
const LETTERS = {
  p: 'pass',
  f: 'fail',
  k: 'flaky',
  x: 'expected',
  w: 'warn',
  i: 'info',
  n: 'not-applicable',
  t: 'not-testable',
  b: 'blocked',
  u: 'inconclusive',
  e: 'error',
} as const;
export type Letter = keyof typeof LETTERS;

const LETTER_OF = Object.fromEntries(Object.entries(LETTERS).map(([letter, word]) => [word, letter])) as Readonly<
  Record<(typeof LETTERS)[Letter], Letter>
>;

/** Names of the variants of one check, and for each family of the line one letter for each variant (`.` where there is none). */
type CompactCheck = HistoryLine['checks'][string];

const NONE = '.';

function letterOf({ verdict, known, flaky }: ResultReport): Letter {
  if (verdict === 'fail' && known?.outcome === 'expected') return 'x';
  return verdict === 'fail' && flaky === true ? 'k' : LETTER_OF[verdict];
}

/** Results by check × family × variant, some twenty bytes for each check and family. */
export function compactResults(results: readonly ResultReport[]): Pick<HistoryLine, 'families' | 'checks'> {
  const families = [...new Set(results.map(({ family }) => family))].sort();
  const byCheck = new Map<string, Map<string, Map<string, Letter>>>();
  for (const result of results) {
    const variants = byCheck.get(result.checkId) ?? new Map<string, Map<string, Letter>>();
    byCheck.set(result.checkId, variants);
    const variant = variants.get(result.variant ?? '') ?? new Map<string, Letter>();
    variants.set(result.variant ?? '', variant);
    variant.set(result.family, letterOf(result));
  }
  const checks = [...byCheck]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, variants]): [string, CompactCheck] => {
      const names = [...variants.keys()].sort();
      const rows = families.map((family) => {
        const row = names.map((name) => variants.get(name)?.get(family) ?? NONE).join('');
        return /^\.*$/.test(row) ? '' : row;
      });
      return [id, names.length === 1 && names[0] === '' ? { r: rows } : { v: names, r: rows }];
    });
  return { families, checks: Object.fromEntries(checks) };
}

export interface LineResult {
  readonly checkId: string;
  readonly family: string;
  readonly variant: string;
  readonly letter: Letter;
}

const isLetter = (text: string | undefined): text is Letter => text !== undefined && text in LETTERS;

export function resultsOfCheck(
  checkId: string,
  { v = [''], r }: CompactCheck,
  families: readonly string[],
): LineResult[] {
  return r.flatMap((row, at) => {
    const family = families[at];
    if (family === undefined) return [];
    return [...row].flatMap((letter, index) =>
      isLetter(letter) ? [{ checkId, family, variant: v[index] ?? '', letter }] : [],
    );
  });
}
