import * as z from 'zod';
import { GeneratedScore } from '../../lib/records/generated-score.ts';
import type { GeneratedQuality, HeldOutQuality } from '../../lib/records/selftest.ts';
import { killedRate } from '../../lib/stats/killed-rate.ts';
import published from '../published-generated.json' with { type: 'json' };

/** A generated score that was published, and what of: the suite of a time. */
const PublishedScore = GeneratedScore.pick({
  space: true,
  seed: true,
  sample: true,
  total: true,
  bound: true,
  byTrigger: true,
  boundByTrigger: true,
}).extend({ label: z.string() });
type PublishedScore = z.infer<typeof PublishedScore>;

/** The generated scores that were published, oldest first; those with one label are of one suite, with other seeds. */
export const PUBLISHED_GENERATED: readonly PublishedScore[] = z.array(PublishedScore).parse(published);

/** The scores of the newest suite among these. */
const newestOf = (scores: readonly PublishedScore[]) => scores.filter(({ label }) => label === scores.at(-1)?.label);

/** What reports say of defects that were held out: those found for a requirement that they violate, the seeds together. */
export function heldOutQuality(scores: readonly PublishedScore[]): HeldOutQuality | undefined {
  const rows = newestOf(scores.filter(({ space }) => space === 'held-out'));
  const [newest] = rows;
  if (newest === undefined) return undefined;
  const sum = (key: 'killed' | 'of') => rows.reduce((total, { bound }) => total + (bound?.[key] ?? 0), 0);
  return { label: newest.label, seeds: rows.map(({ seed }) => seed), found: killedRate(sum('killed'), sum('of')) };
}

/** What reports say of the newest of these scores, its seeds together. */
export function generatedQuality(scores: readonly PublishedScore[]): GeneratedQuality | undefined {
  const rows = newestOf(scores.filter(({ space }) => space === 'generated'));
  const [newest] = rows;
  if (newest === undefined) return undefined;
  const { label } = newest;
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
