import { isOutside, type RequirementSets } from '../../lib/contract/requirement-sets.ts';
import { type Night, newestFirst, sinceOf } from './nights.ts';
import type { FailingCause } from './schema.ts';

type Named = Pick<FailingCause, 'id' | 'title'>;

/** A refusal with another status is another failure, as a baseline sees it. */
const statusOf = ({ id, title }: Named) => (/ refused: /.test(id) ? / answers (\d{3})\b/.exec(title)?.[1] : undefined);
const isSame = (a: Named, b: Named): boolean => a.id === b.id && statusOf(a) === statusOf(b);

/** Causes that fail now, each since its first bad night; the newest first. */
export function failingCausesOf(nights: readonly Night[], sets?: RequirementSets): FailingCause[] {
  const checked = nights.filter(({ line, counts }) => counts && line.families.length > 0);
  return (checked.at(-1)?.line.causes ?? [])
    .flatMap((now): FailingCause[] => {
      const { id, title, results, expected = false, checks = [] } = now;
      const since = sinceOf(checked, ({ line }) => !line.causes.some((cause) => isSame(cause, now)));
      if (since === undefined) return [];
      const before = checked.find(({ line }) => line.run === since.lastGood?.run);
      const [requirement = ''] = id.split(' ');
      const cause = { ...since, id, title, results, expected, checks };
      if (!isOutside(before?.line.requirements, requirement, sets)) return [cause];
      const why = `${requirement} is new in the set, and fails for that reason alone`;
      return [{ ...cause, changes: [...since.changes, why], newRequirement: true }];
    })
    .sort(newestFirst(({ results }) => results));
}
