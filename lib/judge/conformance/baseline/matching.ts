import { fits } from '../../../glob.ts';
import type { BaselineEntry } from '../../../records/baseline.ts';
import type { ConformanceResult } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import { requirementPattern } from '../cause/failure.ts';

export function namesIn(names: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof names === 'string' ? [names] : names;
}

const anyFits = (names: readonly string[] | undefined, text: string) =>
  names === undefined || names.some((name) => fits(name, text));

/** True where the entry names the check, the family and the variant of a result. */
export function fitsPlace(
  entry: BaselineEntry,
  { checkId, family, variant }: Pick<ConformanceResult, 'checkId' | 'family' | 'variant'>,
): boolean {
  const isHere = anyFits(namesIn(entry.check), checkId) && anyFits(namesIn(entry.family), family);
  return isHere && (entry.variant ?? variant) === variant;
}

/** Status of the answer that a refusal names; undefined for other failures. */
export function answeredStatus({
  failure,
  observed = '',
}: Pick<ResultReport, 'failure' | 'observed'>): number | undefined {
  const status = failure?.kind === 'refused' ? / answered (\d{3})\b/.exec(observed)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

export function expects(
  entry: BaselineEntry,
  result: Pick<ResultReport, 'checkId' | 'family' | 'variant' | 'requirement' | 'failure' | 'observed'>,
): boolean {
  const { failure } = result;
  const fitsAll = (names: BaselineEntry['subject'], text: string | undefined) =>
    names === undefined || (text !== undefined && anyFits(namesIn(names), text));
  const status = answeredStatus(result);
  return (
    (entry.answers === undefined || status === undefined || [entry.answers].flat().includes(status)) &&
    fitsAll(entry.requirement, requirementPattern(result)) &&
    fitsAll(entry.operation, failure?.operation) &&
    fitsAll(entry.kind, failure?.kind) &&
    fitsAll(entry.subject, failure?.subject) &&
    fitsPlace(entry, result)
  );
}

/** True where the entry could have named a result if it had failed: its kind of difference is not known. */
export function couldExpect(entry: BaselineEntry, result: ConformanceResult): boolean {
  return anyFits(namesIn(entry.requirement), requirementPattern(result)) && fitsPlace(entry, result);
}
