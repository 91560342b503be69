import type { GeneratedScore } from './generated-score.ts';
import generated from './published-generated.json' with { type: 'json' };
import published from './published-score.json' with { type: 'json' };
import type { SelftestScore } from './score.ts';

/** The last full score that was published: what `ers-harness selftest --json` prints. */
export const PUBLISHED_SCORE = published as SelftestScore;

/** A generated score that was published, and what of: the suite of a time. The first ones lack what was not counted then. */
type PublishedScore = Pick<GeneratedScore, 'seed' | 'sample' | 'total' | 'byTrigger'> &
  Partial<Pick<GeneratedScore, 'space' | 'bound' | 'boundByTrigger'>> & { readonly label: string };

/** The generated scores that were published, oldest first; those with one label are of one suite, with other seeds. */
export const PUBLISHED_GENERATED = generated as readonly PublishedScore[];
