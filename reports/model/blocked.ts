import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';

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
