import { checkIds, checkResults, isDecided, type Night, stateOf } from './nights.ts';

const keyOf = ({ checkId, family, variant }: ReturnType<typeof checkResults>[number]) =>
  [checkId, family, variant].filter((text) => text !== '').join(' ');

/** Results of a night that its checks decided, one way or the other. */
const decided = (night: Night) =>
  checkIds([night]).flatMap((id) =>
    checkResults(night, id).flatMap((result) => (isDecided(stateOf(result.letter)) ? [keyOf(result)] : [])),
  );

/** What the newest counted night leaves undecided of what the one before it decided, where both were asked the same. */
export function noLongerOf(nights: readonly Night[]): string[] {
  const [before, newest] = nights.filter(({ line, counts }) => counts && line.families.length > 0).slice(-2);
  if (before === undefined || newest === undefined || before.line.plan !== newest.line.plan) return [];
  const now = new Set(decided(newest));
  return decided(before).filter((key) => !now.has(key));
}
