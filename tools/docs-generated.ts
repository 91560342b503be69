import type { Rate } from '../lib/records/generated-score.ts';
import { rateText } from '../lib/stats/wilson.ts';
import { MISTAKES } from '../reference/defects/held-out/space.ts';
import { SPACES } from '../selftest/generated/spaces.ts';
import { PUBLISHED_GENERATED } from '../selftest/published.ts';
import { markdownTable } from './docs-tables.ts';

const shown = (rate: Rate | undefined): string => (rate === undefined ? 'not counted' : rateText(rate));

/** The published scores of a space: all of each sample, and by kind of trigger or by dimension. */
export function generatedFigures(space: keyof typeof SPACES): string {
  const rows = PUBLISHED_GENERATED.filter((score) => score.space === space).flatMap(
    ({ label, seed, sample, total, bound, byTrigger, boundByTrigger }) => [
      [label, `all ${sample}, seed ${seed}`, rateText(total), shown(bound)],
      ...Object.entries(byTrigger).map(([kind, rate]) => ['', kind, rateText(rate), shown(boundByTrigger?.[kind])]),
    ],
  );
  const { kind } = SPACES[space];
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return markdownTable(['When', title, 'Found at all', 'Found for a requirement that they violate'], rows);
}

/** The kinds of mistakes that are held out, each with the sentence that it breaks. */
export function heldOutMistakes(): string {
  const rows = MISTAKES.map(({ id, title, sentence }) => [`\`${id}\``, title, sentence]);
  return markdownTable(['Mistake', 'What it does', 'Sentence that it breaks'], rows);
}
