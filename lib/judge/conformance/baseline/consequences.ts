import { fits } from '../../../glob.ts';
import { type ConformanceResult, type ExchangeRecord, resultKey } from '../../../records/conformance.ts';
import { answerMark, answerOf, shownOf } from '../cause/shown.ts';

/** Finds the result that a blocked one waits for in the end; undefined if it names none that is recorded. */
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

/** What was asked and refused, in the shape in which it is asked again. */
const refusalOf = (exchange: ExchangeRecord) =>
  [exchange.family, exchange.operation, answerMark({ exchange, ...answerOf(exchange) })].join('|');

/**
 * Keys of the results that are not proven because of an expected failure: blocked by it, resting on a request that is refused in the
 * same way, naming an answer that it names, or in a family that the baseline names as `unproven`; never an error of the harness.
 */
export function consequencesOf(
  results: readonly ConformanceResult[],
  expected: ReadonlySet<string>,
  exchanges: ReadonlyMap<string, ExchangeRecord>,
  unproven: readonly string[] = [],
): string[] {
  const root = rootOf(results);
  const refusals = new Set(
    results
      .filter((result) => result.verdict === 'fail' && expected.has(resultKey(result)))
      .flatMap((result) => shownOf(result, exchanges) ?? [])
      .flatMap(({ refused, exchange }) => (refused ? [refusalOf(exchange)] : [])),
  );
  const answers = results
    .filter((result) => result.verdict === 'fail' && expected.has(resultKey(result)))
    .flatMap(({ observed }) => (observed !== undefined && / answered \d/.test(observed) ? [observed] : []));
  return results
    .filter((result) => {
      const { verdict, family, evidence, reason } = result;
      if (verdict !== 'blocked' && verdict !== 'inconclusive') return false;
      const first = root(result);
      if (first?.verdict === 'fail' || first?.verdict === 'warn') return expected.has(resultKey(first));
      // A result that waits for one that was not decided rests on what that one rests on.
      const sent = [...evidence, ...(first?.evidence ?? [])].flatMap((id) => exchanges.get(id) ?? []);
      const words = [reason, first?.reason].join(' ');
      if (answers.some((answer) => words.includes(answer))) return true;
      return unproven.some((name) => fits(name, family)) || sent.some((exchange) => refusals.has(refusalOf(exchange)));
    })
    .map(resultKey);
}
