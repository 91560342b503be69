import { defined } from '../../../lib/defined.ts';
import { UsageError } from '../../../lib/errors.ts';
import type { SpaceName } from '../../../lib/records/generated-score.ts';
import { generatedScore } from '../../../selftest/generated/score.ts';
import { spaceWith } from '../../../selftest/generated/spaces.ts';
import { generatedSubjects, linesOf } from '../../../selftest/generated/subjects.ts';
import { generatedLinesOf } from '../../../selftest/generated/table.ts';
import type { Task } from './selftest.ts';
import type { SelftestSpec } from './spec.ts';

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

/** A sample of the generated defects, or the lines that are named. */
export function generatedTask(options: SelftestSpec, families: readonly string[] | undefined): Task {
  const { sample, seed, line } = options;
  const space = spaceOf(options);
  return {
    name: space,
    subjects: generatedSubjects(space, seed, { sample, ...defined({ ids: line, families }) }),
    judge: (scored, cost) => {
      const score = generatedScore(scored, { space, seed, population: linesOf(space, families).length, cost });
      // A share of a sample is a measurement and no gate; an accusation of the clean deployment spoils it.
      return { score, lines: generatedLinesOf(score), isMet: score.alarms.length === 0 };
    },
  };
}
