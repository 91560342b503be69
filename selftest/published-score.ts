import { SelftestScore } from '../lib/records/selftest.ts';
import published from './published-score.json' with { type: 'json' };

/** The last full score that was published: what `ers-harness selftest --json` prints. */
export const PUBLISHED_SCORE: SelftestScore = SelftestScore.parse(published);
