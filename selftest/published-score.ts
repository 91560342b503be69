import published from '../conformance/selftest-score.json' with { type: 'json' };
import { SelftestScore } from '../lib/records/selftest.ts';

/** The last full score that was published: what `ers-harness selftest --json` prints. */
export const PUBLISHED_SCORE: SelftestScore = SelftestScore.parse(published);
