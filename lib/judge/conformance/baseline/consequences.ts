import { FAMILIES } from '../../../contract/families.ts';
import type { FamilyTable } from '../../../contract/types.ts';
import { type ConformanceResult, resultKey } from '../../../records/conformance.ts';
import { fits } from './matching.ts';

/** Finds the result that a blocked one waits for in the end; undefined where it names none that is recorded. */
export function rootOf(
  results: readonly ConformanceResult[],
): (result: ConformanceResult) => ConformanceResult | undefined {
  const byKey = new Map(results.map((result) => [resultKey(result), result]));
  return (result) => {
    const seen = new Set<string>();
    let root: ConformanceResult | undefined = result;
    while (root?.blockedBy !== undefined && !seen.has(root.blockedBy)) {
      seen.add(root.blockedBy);
      root = byKey.get(root.blockedBy);
    }
    return root === result ? undefined : root;
  };
}

const table: FamilyTable = FAMILIES;

/**
 * Keys of the results that are not proven because of an expected failure: blocked by it, or undecided in a family where
 * it shows, in a view of that family, or in a family that the baseline names as `unproven`. An error of the harness is
 * never a consequence.
 */
export function consequencesOf(
  results: readonly ConformanceResult[],
  expected: ReadonlySet<string>,
  unproven: readonly string[] = [],
): string[] {
  const root = rootOf(results);
  const hit = new Set(
    results
      .filter((result) => result.verdict === 'fail' && expected.has(resultKey(result)))
      .map(({ family }) => family),
  );
  const isHit = (family: string) =>
    unproven.some((name) => fits(name, family)) ||
    hit.has(family) ||
    (table[family]?.viewOf?.some((viewed) => hit.has(viewed)) ?? false);
  return results
    .filter((result) => {
      const { verdict, family } = result;
      if (verdict !== 'blocked' && verdict !== 'inconclusive') return false;
      const first = root(result);
      if (first?.verdict === 'fail' || first?.verdict === 'warn') return expected.has(resultKey(first));
      return isHit(family);
    })
    .map(resultKey);
}
