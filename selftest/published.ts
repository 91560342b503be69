import * as z from 'zod';
import { GeneratedScore, SpaceName } from '../lib/records/generated-score.ts';
import { SelftestScore } from '../lib/records/selftest.ts';

import generated from './published-generated.json' with { type: 'json' };
import published from './published-score.json' with { type: 'json' };

/** The last full score that was published: what `ers-harness selftest --json` prints. */
export const PUBLISHED_SCORE: SelftestScore = SelftestScore.parse(published);

/** A generated score that was published, and what of: the suite of a time. */
const PublishedScore = GeneratedScore.pick({ seed: true, sample: true, total: true, byTrigger: true }).extend({
  ...{ label: z.string(), space: SpaceName.default('generated') },
  // The first scores did not count it.
  ...GeneratedScore.pick({ bound: true, boundByTrigger: true }).partial().shape,
});

/** The generated scores that were published, oldest first; those with one label are of one suite, with other seeds. */
export const PUBLISHED_GENERATED: readonly z.infer<typeof PublishedScore>[] = z.array(PublishedScore).parse(generated);
