import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CHECK_IDS } from '../../../conformance/catalog.ts';
import { systemClock } from '../../../lib/clock.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { defined } from '../../../lib/defined.ts';
import { HarnessError, UsageError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { loadFamilies } from '../../../lib/families/read.ts';
import { makeFolder } from '../../../lib/records/folder/disk.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { chosen } from '../../../reference/deviation.ts';
import { chosenRules } from '../../../reference/personas/personas.ts';
import type { Scored } from '../../../reference/selftest/defect-score.ts';
import { generatedLinesOf, generatedScore } from '../../../reference/selftest/generated-score.ts';
import { personaLines, personaSubjects, personasScore } from '../../../reference/selftest/personas/score.ts';
import { type Cost, scoreLines, scoreOf } from '../../../reference/selftest/score.ts';
import {
  generatedSubjects,
  linesOf,
  type SpaceName,
  type Subject,
  spaceWith,
  subjectsOf,
} from '../../../reference/selftest/subject.ts';
import { runSubjects, serveSubjects } from '../../../reference/selftest/workers.ts';
import { bindLocal } from '../../options/bind.ts';
import { createOutput, type Output, writing } from '../../output/output.ts';
import { startProgress } from '../../output/progress.ts';
import { catalogueOf } from '../../session/catalogue.ts';
import { exitOfSignal, faultOf, watchSignals } from '../../session/signals.ts';
import { FULL_PAIRS, QUICK_PAIRS, SelftestSpec } from './spec.ts';

const PAIRS = 20;

function personasTask(options: SelftestSpec, families: readonly string[] | undefined): Task {
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

function generatedTask(options: SelftestSpec, families: readonly string[] | undefined): Task {
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

export interface Task {
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly judge: (
    scored: readonly Scored[],
    cost: Cost,
  ) => { readonly score: object; readonly lines: readonly string[]; readonly isMet: boolean };
}

export const workerDeps = () => ({ clock: systemClock, catalogue: catalogueOf(FAMILIES, CHECK_IDS), faultOf });

/** Runs the subjects in workers: this program again, with the hidden command; undefined if a signal ended them. */
async function runAll(subjects: readonly Subject[], { workers }: SelftestSpec, output: Output) {
  const [, program] = process.argv;
  if (program === undefined) throw new HarnessError('no-program', 'cannot find the program to start workers with');
  const progress = startProgress('selftest', subjects.length, output);
  const signals = watchSignals(output.warn);
  const begun = systemClock.monotonicMs();
  let done = 0;
  try {
    const scored = await runSubjects(subjects, {
      program: { command: process.execPath, args: [...process.execArgv, program, 'selftest-worker'] },
      workers,
      signal: signals.abort,
      onOutcome: ({ kind, ids }) => {
        done += 1;
        progress.update(done, [kind, ...ids].join(' '));
      },
    });
    return {
      scored,
      cost: {
        durationMs: Math.round(systemClock.monotonicMs() - begun),
        requests: scored.reduce((sum, { outcome }) => sum + outcome.requests, 0),
        runs: scored.length,
        workers,
      },
    };
  } catch (fault) {
    const signal = signals.received();
    if (signal === undefined) throw fault;
    process.exitCode = exitOfSignal(signal);
    return undefined;
  } finally {
    signals.stop();
    progress.stop(`selftest: ${done} of ${subjects.length} runs`);
  }
}

function defectsTask(options: SelftestSpec, families: readonly string[] | undefined): Task {
  const { seed, defect, quick, pairs = quick ? QUICK_PAIRS : FULL_PAIRS } = options;
  const defects = defect && chosen('defect', DEFECTS, defect);
  return {
    name: 'selftest',
    subjects: subjectsOf({
      ...{ seed, quick, pairs },
      ...defined({ defects: defects?.map(({ id }) => id), imported: families }),
    }),
    judge: (scored, cost) => {
      const scope = defect !== undefined ? 'chosen' : quick ? 'quick' : 'full';
      const score = scoreOf(scored, { seed, scope, defects: DEFECTS, cost });
      return { score, lines: scoreLines(score), isMet: score.met };
    },
  };
}

function taskOf(options: SelftestSpec, families: readonly string[] | undefined): Task {
  if (options.generated || options.heldOut || options.line !== undefined) return generatedTask(options, families);
  if (options.personas || options.persona !== undefined) return personasTask(options, families);
  return defectsTask(options, families);
}

async function selftest(options: SelftestSpec): Promise<void> {
  const output = createOutput(options);
  const { out, json, familyFiles, depth } = options;
  const { name, subjects, judge } = taskOf(options, familyFiles && loadFamilies(familyFiles));
  const runs = await runAll(
    subjects.map((subject) => ({ ...subject, ...defined({ depth }) })),
    options,
    output,
  );
  if (runs === undefined) return;
  const { score, lines, isMet } = judge(runs.scored, runs.cost);
  const text = JSON.stringify(score, null, 2);
  if (out !== undefined) {
    const file = join(out, `${name}.json`);
    writing(out, '--out', () => {
      makeFolder(out);
      writeFileSync(file, `${text}\n`);
    });
    output.say(`score: ${file}`);
  }
  if (json) output.data(text);
  for (const line of lines) output.warn(line);
  process.exitCode = isMet ? EXIT.ok : EXIT.failed;
}

export function selftestCommand(program: Command): void {
  bindLocal(program.command('selftest', { hidden: true }), SelftestSpec, selftest, {
    does: 'score the suite against seeded defects, allowed variations and targets that are not the service',
    examples: [
      ...['selftest --quick', 'selftest --out runs/selftest', 'selftest --defect M27,M45'],
      ...['selftest --generated --sample 100 --seed 2', 'selftest --held-out --sample 100 --seed 2'],
      ...['selftest --personas --mode full', 'selftest --persona deletetype'],
    ],
  });
  program
    .command('selftest-worker', { hidden: true })
    .description('runs what the selftest sends, one JSON object a line')
    .action(() => serveSubjects(process.stdin, process.stdout, workerDeps()));
}
