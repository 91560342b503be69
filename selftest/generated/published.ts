import * as z from 'zod';
import { GeneratedScore } from '../../lib/records/generated-score.ts';
import type { GeneratedQuality } from '../../lib/records/selftest.ts';
import { killedRate } from '../../lib/stats/killed-rate.ts';
import published from '../published-generated.json' with { type: 'json' };

/** A generated score that was published, and what of: the suite of a time. */
const PublishedScore = GeneratedScore.pick({ seed: true, sample: true, total: true, byTrigger: true }).extend({
  label: z.string(),
});
type PublishedScore = z.infer<typeof PublishedScore>;

/** The generated scores that were published, oldest first; those with one label are of one suite, with other seeds. */
export const PUBLISHED_GENERATED: readonly PublishedScore[] = z.array(PublishedScore).parse(published);

/** What reports say of the newest of these scores, its seeds together. */
export function generatedQuality(scores: readonly PublishedScore[]): GeneratedQuality | undefined {
  const newest = scores.at(-1);
  if (newest === undefined) return undefined;
  const { label } = newest;
  const rows = scores.filter((score) => score.label === label);
  const rates = rows.flatMap(({ byTrigger }) => Object.entries(byTrigger));
  const joined = (isWanted: (trigger: string) => boolean) => {
    const wanted = rates.filter(([trigger]) => isWanted(trigger)).map(([, rate]) => rate);
    const sum = (key: 'killed' | 'of') => wanted.reduce((total, rate) => total + rate[key], 0);
    return killedRate(sum('killed'), sum('of'));
  };
  return {
    label,
    seeds: rows.map(({ seed }) => seed),
    always: joined((trigger) => trigger === 'always'),
    others: joined((trigger) => trigger !== 'always'),
  };
}
