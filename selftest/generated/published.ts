import * as z from 'zod';
import { GeneratedScore } from '../../lib/records/generated-score.ts';
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
