import { defined } from '../../../lib/defined.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { chosenRules } from '../../../reference/personas/personas.ts';
import { personasScore } from '../../../selftest/personas/score.ts';
import { personaSubjects } from '../../../selftest/personas/subjects.ts';
import { personaLines } from '../../../selftest/personas/table.ts';
import type { Task } from './selftest.ts';
import type { SelftestSpec } from './spec.ts';

const PAIRS = 20;

/** Deployments that answer as the real product is known to, alone and in pairs. */
export function personasTask(options: SelftestSpec, families: readonly string[] | undefined): Task {
  const { seed, persona, pairs = PAIRS } = options;
  // Names the unknown ones before anything is run.
  for (const name of persona ?? []) chosenRules(name.split('+'));
  const modes = Mode.options.filter((mode) => options.mode?.includes(mode) ?? true);
  return {
    name: 'personas',
    subjects: personaSubjects({ seed, modes, pairs, ...defined({ names: persona, families }) }),
    judge: (scored, cost) => {
      const score = personasScore(scored, { seed, cost });
      return { score, lines: personaLines(score), isMet: score.met };
    },
  };
}
