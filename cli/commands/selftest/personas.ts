import { defined } from '../../../lib/defined.ts';
import { UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { chosenRules } from '../../../reference/personas/personas.ts';
import { personasScore } from '../../../selftest/personas/score.ts';
import { personaSubjects } from '../../../selftest/personas/subjects.ts';
import { personaLines } from '../../../selftest/personas/table.ts';
import type { Output } from '../../output/output.ts';
import type { RunSubjects } from './generated.ts';
import { writeScore } from './write-score.ts';

/** Options of `selftest --personas`, checked. */
export interface PersonasOptions {
  readonly persona?: readonly string[];
  readonly mode?: readonly string[];
  readonly pairs?: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly out?: string;
}

/** Pairs of rules of a run, unless told otherwise. */
const PAIRS = 20;

function modesOf(given: readonly string[] | undefined): readonly Mode[] {
  const unknown = given?.find((name) => !(Mode.options as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError('unknown-mode', `there is no mode ${unknown}`, { hint: `one of ${Mode.options.join(', ')}` });
  return given === undefined ? Mode.options : Mode.options.filter((mode) => given.includes(mode));
}

/** Scores the suite on deployments that answer as the real product is known to, alone and in pairs. */
export async function selftestPersonas(options: PersonasOptions, run: RunSubjects, output: Output): Promise<void> {
  const { seed, persona, pairs = PAIRS, out } = options;
  // Names the unknown ones before anything is run.
  for (const name of persona ?? []) chosenRules(name.split('+'));
  const subjects = personaSubjects({ seed, modes: modesOf(options.mode), pairs, ...defined({ names: persona }) });
  const runs = await run(subjects);
  if (runs === undefined) return;
  const score = personasScore(runs.scored, { seed, cost: runs.cost });
  const text = JSON.stringify(score, null, 2);
  writeScore(out, 'personas.json', text);
  if (options.json === true) output.data(text);
  for (const line of personaLines(score)) output.warn(line);
  process.exitCode = score.met ? EXIT.ok : EXIT.failed;
}
