import { defined } from '../lib/defined.ts';
import type { GeneratedQuality, HeldOutQuality, SelftestScore, SuiteQuality } from '../lib/records/selftest.ts';
import { isKilled } from './defect-score.ts';

/** What the reports of runs say of the scores. */
export function suiteQuality(
  score: SelftestScore,
  generated: GeneratedQuality | undefined,
  heldOut: HeldOutQuality | undefined,
): SuiteQuality {
  const { seed, met, gate, totals, defects, onlyOne } = score;
  return {
    seed,
    met,
    gate,
    totals,
    survivors: defects.filter((defect) => !isKilled(defect)).map(({ id }) => id),
    onlyOne: onlyOne.map(({ defect, check }) => `${defect} (${check})`),
    ...defined({ generated, heldOut }),
  };
}
