import type { BaselineEntry } from '../../../records/baseline.ts';
import type { ConformanceResult } from '../../../records/conformance.ts';
import { requirementPattern } from '../cause/signature.ts';

/** Names of an entry's member as a list; undefined where it is absent. */
export function namesIn(names: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof names === 'string' ? [names] : names;
}

/** True for a name that stands for several. */
export const isPattern = (name: string): boolean => name.includes('*');

/** True where a pattern, in which `*` stands for any characters, fits a text. */
export function fits(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  if (!isPattern(pattern)) return false;
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}

const anyFits = (names: readonly string[] | undefined, text: string) =>
  names === undefined || names.some((name) => fits(name, text));

/** True where the entry names the check, the family and the variant of a result. */
export function fitsPlace(entry: BaselineEntry, { checkId, family, variant }: ConformanceResult): boolean {
  const isHere = anyFits(namesIn(entry.check), checkId) && anyFits(namesIn(entry.family), family);
  return isHere && (entry.variant ?? variant) === variant;
}

/** True where the entry names a failure with this signature. */
export function expects(entry: BaselineEntry, result: ConformanceResult, signature: string): boolean {
  const causes = namesIn(entry.cause);
  const fitsCause = causes?.some((cause) => fits(cause, signature) || fits(`${cause}/*`, signature)) ?? true;
  return fitsCause && fitsPlace(entry, result);
}

/** True where the entry could have named a result if it had failed: its kind of difference is not known. */
export function couldExpect(entry: BaselineEntry, result: ConformanceResult): boolean {
  const requirements = namesIn(entry.cause)?.map((cause) => cause.split('/')[0] ?? cause);
  return anyFits(requirements, requirementPattern(result)) && fitsPlace(entry, result);
}
