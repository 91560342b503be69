import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../lib/clock.ts';
import { defined } from '../../../lib/defined.ts';
import { messageOf, UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { chosenRules } from '../../../reference/personas/personas.ts';
import { personasScore } from '../../../selftest/personas/score.ts';
import { personaSubjects } from '../../../selftest/personas/subjects.ts';
import { personaLines } from '../../../selftest/personas/table.ts';
import type { Output } from '../../output/output.ts';
import type { RunSubjects } from './generated.ts';

/** Options of `selftest --personas`, checked. */
export interface PersonasOptions {
  readonly persona?: readonly string[];
  readonly mode?: readonly string[];
  readonly pairs?: number;
  readonly seed: number;
  readonly workers: number;
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
  const { seed, workers, persona, pairs = PAIRS, out } = options;
  // Names the unknown ones before anything is run.
  for (const name of persona ?? []) chosenRules(name.split('+'));
  const subjects = personaSubjects({ seed, modes: modesOf(options.mode), pairs, ...defined({ names: persona }) });
  const begun = systemClock.monotonicMs();
  const outcomes = await run(subjects);
  if (outcomes === undefined) return;
  const scored = subjects.flatMap((subject, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [{ subject, outcome }];
  });
  const score = personasScore(scored, {
    seed,
    cost: {
      durationMs: Math.round(systemClock.monotonicMs() - begun),
      requests: outcomes.reduce((sum, { requests }) => sum + requests, 0),
      runs: outcomes.length,
      workers,
    },
  });
  const text = JSON.stringify(score, null, 2);
  if (out !== undefined) {
    try {
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, 'personas.json'), `${text}\n`);
    } catch (cause) {
      throw new UsageError('out-not-writable', `cannot write into ${out}: ${messageOf(cause)}`, { cause });
    }
  }
  if (options.json === true) output.data(text);
  for (const line of personaLines(score)) output.warn(line);
  process.exitCode = score.met ? EXIT.ok : EXIT.failed;
}
