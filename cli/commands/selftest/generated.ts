import { defined } from '../../../lib/defined.ts';
import { UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import type { SpaceName } from '../../../lib/records/generated-score.ts';
import type { SelftestScore } from '../../../lib/records/selftest.ts';
import { generatedScore } from '../../../selftest/generated/score.ts';
import { spaceWith } from '../../../selftest/generated/spaces.ts';
import { generatedSubjects, linesOf } from '../../../selftest/generated/subjects.ts';
import { generatedLinesOf } from '../../../selftest/generated/table.ts';
import type { Scored } from '../../../selftest/outcome.ts';
import type { Subject } from '../../../selftest/subject.ts';
import type { Output } from '../../output/output.ts';
import type { SelftestSpec } from './spec.ts';
import { writeScore } from './write-score.ts';

/** What runs of subjects came to, and their cost. */
export interface SubjectRuns {
  readonly scored: readonly Scored[];
  readonly cost: SelftestScore['cost'];
}

/** Runs subjects in workers; undefined if a signal ended them. */
export type RunSubjects = (subjects: readonly Subject[]) => Promise<SubjectRuns | undefined>;

/** Space of the lines that are named. Throws `UsageError` for one that there is none of, and for two spaces. */
function spaceOf({ line, heldOut }: SelftestSpec): SpaceName {
  const space = heldOut ? 'held-out' : 'generated';
  if (line === undefined) return space;
  const [first = space, ...others] = new Set(
    line.map((id) => {
      const found = spaceWith(id);
      if (found !== undefined) return found;
      throw new UsageError('unknown-line', `there is no generated defect "${id}"`, {
        hint: 'copy an id from the survivors that selftest --generated or --held-out prints',
      });
    }),
  );
  if (others.length === 0) return first;
  throw new UsageError('two-spaces', 'the lines are of two spaces', { hint: 'run each space by itself' });
}

/** Scores the suite on a sample of the generated defects, or on the lines that are named. */
export async function selftestGenerated(
  options: SelftestSpec,
  families: readonly string[] | undefined,
  run: RunSubjects,
  output: Output,
): Promise<void> {
  const { sample, seed, line } = options;
  const space = spaceOf(options);
  const subjects = generatedSubjects(space, seed, { sample, ...defined({ ids: line, families }) });
  const runs = await run(subjects);
  if (runs === undefined) return;
  const { scored, cost } = runs;
  const score = generatedScore(scored, { space, seed, population: linesOf(space, families).length, cost });
  const text = JSON.stringify(score, null, 2);
  writeScore(options.out, { [`${space}.json`]: text });
  if (options.json) output.data(text);
  for (const each of generatedLinesOf(score)) output.warn(each);
  // A share of a sample is a measurement and no gate; an accusation of the clean deployment spoils it.
  process.exitCode = score.alarms.length === 0 ? EXIT.ok : EXIT.failed;
}
