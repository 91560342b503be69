import { workerDeps } from '../../cli/commands/selftest/selftest.ts';
import { defined } from '../../lib/defined.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import type { Scored } from '../../reference/selftest/defect-score.ts';
import { type GeneratedScore, generatedScore } from '../../reference/selftest/generated-score.ts';
import { runSubject } from '../../reference/selftest/run-subject.ts';
import { generatedSubjects, type SpaceName, type Subject } from '../../reference/selftest/subject.ts';

export const NO_COST = { durationMs: 0, requests: 0, runs: 0, workers: 1 };

/** Runs subjects of the selftest as its workers do, in this process. */
export function scoredOf(subjects: readonly Subject[]): Promise<Scored[]> {
  const deps = workerDeps();
  return Promise.all(subjects.map(async (subject) => ({ subject, outcome: await runSubject(subject, deps) })));
}

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
