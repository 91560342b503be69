import { isOutside, type RequirementSets } from '../../lib/contract/requirement-sets.ts';
import { defined } from '../../lib/defined.ts';
import { changesBetween } from './changes.ts';
import type { Night } from './nights.ts';

/** A cause that the newest counted night with checks names, with the night in which it began. */
export interface FailingCause {
  readonly id: string;
  readonly title: string;
  /** Results that fail for it in the newest night. */
  readonly results: number;
  readonly expected: boolean;
  /** Checks that fail for it; none if the line of the night is older. */
  readonly checks: readonly string[];
  readonly firstBad: { readonly run: string; readonly at: string };
  /** The last counted night before that ran checks and did not name it; absent where none did. */
  readonly lastGood?: { readonly run: string; readonly at: string };
  readonly nights: number;
  /** Its requirement was not in the set of the last good night: it is red for that reason alone. */
  readonly newRequirement?: true;
  /** What was another thing in the first bad night than in the last good one. */
  readonly changes: readonly string[];
}

/** Causes that fail now, each since its first bad night; the newest first. */
export function failingCausesOf(nights: readonly Night[], sets?: RequirementSets): readonly FailingCause[] {
  const checked = nights.filter(({ line, counts }) => counts && line.families.length > 0).map(({ line }) => line);
  const newest = checked.at(-1);
  return (newest?.causes ?? [])
    .flatMap(({ id, title, results, expected = false, checks = [] }): FailingCause[] => {
      const good = checked.findLastIndex(({ causes }) => !causes.some((cause) => cause.id === id));
      const [before, first] = [checked[good], checked[good + 1]];
      if (first === undefined) return [];
      const [requirement = ''] = id.split(' ');
      const isNew = isOutside(before?.requirements, requirement, sets);
      return [
        {
          ...{ id, title, results, expected, checks, nights: checked.length - good - 1 },
          firstBad: { run: first.run, at: first.at },
          ...defined({ lastGood: before && { run: before.run, at: before.at } }),
          changes: [
            ...(before === undefined ? [] : changesBetween(before, first)),
            ...(isNew ? [`${requirement} is new in the set, and fails for that reason alone`] : []),
          ],
          ...(isNew ? { newRequirement: true as const } : {}),
        },
      ];
    })
    .sort(
      (a, b) =>
        Number(a.expected) - Number(b.expected) ||
        (a.firstBad.at < b.firstBad.at ? 1 : a.firstBad.at > b.firstBad.at ? -1 : b.results - a.results),
    );
}
