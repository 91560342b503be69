import { defined } from '../../../lib/defined.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { chosenRules } from '../../../reference/personas/personas.ts';
import { personasScore } from '../../../selftest/personas/score.ts';
import { personaSubjects } from '../../../selftest/personas/subjects.ts';
import { personaLines } from '../../../selftest/personas/table.ts';
import type { Output } from '../../output/output.ts';
import type { RunSubjects } from './generated.ts';
import type { SelftestSpec } from './spec.ts';
import { writeScore } from './write-score.ts';

/** Pairs of rules of a run, unless told otherwise. */
const PAIRS = 20;

/** Scores the suite on deployments that answer as the real product is known to, alone and in pairs. */
export async function selftestPersonas(
  options: SelftestSpec,
  families: readonly string[] | undefined,
  run: RunSubjects,
  output: Output,
): Promise<void> {
  const { seed, persona, pairs = PAIRS, out } = options;
  // Names the unknown ones before anything is run.
  for (const name of persona ?? []) chosenRules(name.split('+'));
  const subjects = personaSubjects({
    seed,
    modes: Mode.options.filter((mode) => options.mode?.includes(mode) ?? true),
    pairs,
    ...defined({ names: persona, families }),
  });
  const runs = await run(subjects);
  if (runs === undefined) return;
  const score = personasScore(runs.scored, { seed, cost: runs.cost });
  const text = JSON.stringify(score, null, 2);
  writeScore(out, { 'personas.json': text });
  if (options.json) output.data(text);
  for (const line of personaLines(score)) output.warn(line);
  process.exitCode = score.met ? EXIT.ok : EXIT.failed;
}
