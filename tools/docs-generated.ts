import { rateText } from '../lib/stats/killed-rate.ts';
import { PUBLISHED_GENERATED } from '../selftest/generated/published.ts';
import { markdownTable } from './docs-tables.ts';

/** The published generated scores: all of each sample, and by kind of trigger. */
export function generatedFigures(): string {
  const rows = PUBLISHED_GENERATED.flatMap(({ label, seed, sample, total, byTrigger }) => [
    [label, `all ${sample}, seed ${seed}`, rateText(total)],
    ...Object.entries(byTrigger).map(([trigger, rate]) => ['', trigger, rateText(rate)]),
  ]);
  return markdownTable(['When', 'Trigger', 'Found by the suite alone'], rows);
}
