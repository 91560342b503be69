import type { SelftestScore, SuiteQuality } from '../lib/records/selftest.ts';
import { isKilled } from './defect-score.ts';

/** What the reports of runs say of a score. */
export function suiteQuality({ seed, met, gate, totals, defects, onlyOne }: SelftestScore): SuiteQuality {
  return {
    seed,
    met,
    gate,
    totals,
    survivors: defects.filter((defect) => !isKilled(defect)).map(({ id }) => id),
    onlyOne: onlyOne.map(({ defect, check }) => `${defect} (${check})`),
  };
}
