import type { Rate } from '../lib/records/generated-score.ts';
import { rateText } from '../selftest/generated/table.ts';
import published from '../selftest/published-generated.json' with { type: 'json' };
import { markdownTable } from './docs-tables.ts';

/** The published generated scores: all of each sample, and by kind of trigger. */
export function generatedFigures(): string {
  const rows = published.flatMap(({ label, seed, sample, total, byTrigger }) => [
    [label, `all ${sample}, seed ${seed}`, rateText(total)],
    ...Object.entries(byTrigger as Readonly<Record<string, Rate>>).map(([trigger, rate]) => [
      '',
      trigger,
      rateText(rate),
    ]),
  ]);
  return markdownTable(['When', 'Trigger', 'Found by the suite alone'], rows);
}
