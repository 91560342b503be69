import { judgeAgain } from '../../conformance/model/again.ts';
import { differenceKey } from '../../conformance/model/difference.ts';
import { keyOf } from '../../conformance/model/history.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';

/** The grounds as if one record had never been there. */
function without(grounds: Grounds, key: string): Grounds {
  const { writes, observation, facts } = grounds;
  const left = { facts, writes: writes.filter(({ family, id }) => keyOf(family, id) !== key) };
  if (observation.question.window !== 'list' || !('pages' in observation.shown)) return { ...left, observation };
  const [gone] = writes.filter(({ family, id }) => keyOf(family, id) === key);
  const pages = observation.shown.pages.map((page) => page.filter(({ id }) => id !== gone?.id));
  return { ...left, observation: { ...observation, shown: { ...observation.shown, pages } } as Grounds['observation'] };
}

/**
 * Leaves out each record without which the oracle sees the same difference, so that a file makes no more of them than it
 * needs. Of a list of several pages all are kept: where a page ends is part of what was seen.
 */
export function smallest(grounds: Grounds, table: FamilyTable): Grounds {
  const { observation } = grounds;
  const first = judgeAgain(grounds, table);
  if (first === undefined || !('pages' in observation.shown) || observation.shown.pages.length > 1) return grounds;
  const isSame = (some: Grounds): boolean => {
    const seen = judgeAgain(some, table);
    return seen !== undefined && differenceKey(seen) === differenceKey(first) && seen.record === first.record;
  };
  const keys = [...new Set(grounds.writes.map(({ family, id }) => keyOf(family, id)))].filter(
    (key) => key !== first.record,
  );
  return keys.reduce((left, key) => {
    const fewer = without(left, key);
    return isSame(fewer) ? fewer : left;
  }, grounds);
}
