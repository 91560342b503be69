import type { CellRule } from '../../../records/load/load.ts';

/** A rule with the sentence that stands among the reasons when it does not hold. */
export interface Judged extends CellRule {
  readonly reason?: string;
}

export function reasonOf(rule: Judged): string {
  return rule.reason ?? `not so: ${rule.text}: ${rule.measured}, allowed is ${rule.limit}`;
}

/** A number for people: three digits behind the point at most. */
export function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The first of what was found, behind a sign; nothing where nothing was. */
export const examplesOf = (found: readonly string[], sign = ': '): string =>
  found.length === 0 ? '' : sign + found.slice(0, 3).join(', ');
