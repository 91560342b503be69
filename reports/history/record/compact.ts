import { groupBy } from '../../../lib/group-by.ts';
import { isExpected } from '../../../lib/judge/conformance/baseline/known.ts';
import type { ResultReport } from '../../../lib/records/report.ts';
import type { HistoryLine } from './line.ts';

/** `expected`: a failure that the baseline expects, or is older than; `flaky`: one that passed when it was tried again in the same run. */
const LETTERS = {
  pass: 'p',
  fail: 'f',
  flaky: 'k',
  expected: 'x',
  warn: 'w',
  info: 'i',
  'not-applicable': 'n',
  'not-testable': 't',
  blocked: 'b',
  inconclusive: 'u',
  error: 'e',
} as const;
export type Letter = (typeof LETTERS)[keyof typeof LETTERS];

/** Names of the variants of one check, and for each family of the line one letter for each variant (`.` where there is none). */
type CompactCheck = HistoryLine['checks'][string];

const NONE = '.';

function letterOf(result: ResultReport): Letter {
  const { verdict, flaky } = result;
  if (verdict === 'fail' && isExpected(result)) return LETTERS.expected;
  return verdict === 'fail' && flaky === true ? LETTERS.flaky : LETTERS[verdict];
}

/** Results by check × family × variant, some twenty bytes for each check and family. */
export function compactResults(results: readonly ResultReport[]): Pick<HistoryLine, 'families' | 'checks'> {
  const families = [...new Set(results.map(({ family }) => family))].sort();
  const place = (family: string, variant = '') => JSON.stringify([family, variant]);
  const checks = [...groupBy(results, ({ checkId }) => checkId)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, own]): [string, CompactCheck] => {
      const names = [...new Set(own.map(({ variant = '' }) => variant))].sort();
      const letters = new Map(own.map((result) => [place(result.family, result.variant), letterOf(result)]));
      const rows = families.map((family) => {
        const row = names.map((name) => letters.get(place(family, name)) ?? NONE).join('');
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

const KNOWN: ReadonlySet<string> = new Set(Object.values(LETTERS));
const isLetter = (text: string): text is Letter => KNOWN.has(text);

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
