import { catalogueOf } from '../../cli/session/catalogue.ts';
import { faultCode, faultKind } from '../../cli/session/exit.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import type { GeneratedScore, SpaceName } from '../../lib/records/generated-score.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import { generatedScore } from '../../selftest/generated/score.ts';
import { generatedSubjects } from '../../selftest/generated/subjects.ts';
import type { Scored } from '../../selftest/outcome.ts';
import { runJudge } from '../../selftest/run-judge.ts';
import { runSubject } from '../../selftest/run-subject.ts';
import type { Subject } from '../../selftest/subject.ts';

const faultOf = (fault: unknown) => ({ kind: faultKind(fault), code: faultCode(fault), message: messageOf(fault) });
const deps = { clock: systemClock, judgeOf: runJudge({ catalogue: catalogueOf(FAMILIES), faultOf }) };

export const NO_COST = { durationMs: 0, requests: 0, runs: 0, workers: 1 };

/** Runs subjects of the selftest as its workers do, in this process. */
export const scoredOf = (subjects: readonly Subject[]): Promise<Scored[]> =>
  Promise.all(subjects.map(async (subject) => ({ subject, outcome: await runSubject(subject, deps) })));

/**
 * Score of the suite on these lines of a space, with the seed that the selftest takes unless told otherwise. The clean
 * deployment is not run beside them: the full run against it, on all families, is a test of its own.
 */
export async function scoreOfLines(space: SpaceName, lines: readonly string[], depth?: Depth): Promise<GeneratedScore> {
  const subjects = generatedSubjects(space, 1, { sample: lines.length, ids: lines }).filter(
    ({ kind }) => kind !== 'control',
  );
  const scored = await scoredOf(subjects.map((subject) => ({ ...subject, ...defined({ depth }) })));
  return generatedScore(scored, { space, seed: 1, population: lines.length, cost: NO_COST });
}
