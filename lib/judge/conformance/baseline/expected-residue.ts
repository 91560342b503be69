import type { ExchangeRecord } from '../../../records/conformance.ts';
import type { ConformanceReport, Report } from '../../../records/report.ts';
import { operationOf } from '../cause/signature.ts';
import { isExpected } from './known.ts';

/** Operations that take away what a run made. */
const REMOVING: ReadonlySet<string | undefined> = new Set(['delete', 'clear']);

/** Marks what is left in a family where an expected failure is about removing: the target keeps it, not the run. */
export function markExpectedResidue(
  cleanup: Report['cleanup'],
  conformance: Pick<ConformanceReport, 'results'> | null,
  exchanges: readonly ExchangeRecord[],
): Report['cleanup'] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const failures = (conformance?.results ?? []).filter((result) => result.verdict === 'fail' && isExpected(result));
  const keeping = new Set(
    failures.filter((result) => REMOVING.has(operationOf(result, byId))).map(({ family }) => family),
  );
  if (keeping.size === 0) return cleanup;
  // Records that the checks of a view made in a family that was not checked itself are removed by the same operation.
  const checked = new Set((conformance?.results ?? []).map(({ family }) => family));
  const residue = cleanup.residue.map((item) =>
    keeping.has(item.family) || !checked.has(item.family) ? { ...item, expected: true as const } : item,
  );
  return { ...cleanup, residue };
}
