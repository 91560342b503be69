import type { CellRule } from '../../../records/load/load.ts';

/** A rule with the sentence that stands among the reasons when it does not hold. */
export interface Judged extends CellRule {
  readonly reason?: string;
}

/** A rule about the record or the generator: where it does not hold, the cell proves nothing. */
export function invalid(id: string, text: string, measured: string, limit: string, holds: boolean): Judged {
  return { id, text, measured, limit, holds, effect: 'invalid' };
}

export function reasonOf(rule: Judged): string {
  return rule.reason ?? `not so: ${rule.text}: ${rule.measured}, allowed is ${rule.limit}`;
}

/** A number for people: three digits behind the point at most. */
export function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Share of the endpoints that were read which somebody else may have put another policy on: more of them are the work of the target. */
const MOST_OF_OTHERS = 0.1;

/** True if so many endpoints with a policy that the run never put on any, and no more, say nothing of the target. */
export const mayBeOfOthers = (others: number, read: number): boolean => others > 0 && others <= MOST_OF_OTHERS * read;

/** Stands behind what was found of them. */
export const OF_OTHERS = '; the run put no such policy on any endpoint: somebody else may have written to the pool';

/** The first of what was found, behind a sign; nothing where nothing was. */
export const examplesOf = (found: readonly string[], sign = ': '): string =>
  found.length === 0 ? '' : sign + found.slice(0, 3).join(', ');
