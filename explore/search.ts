import fc from 'fast-check';
import { nameMember } from '../conformance/kit/fields.ts';
import type { Clock } from '../lib/clock.ts';
import { sequences } from './draw/arbitrary.ts';
import type { Step } from './draw/step.ts';
import type { Difference } from './model/difference.ts';
import { doOthersWrite } from './model/others.ts';
import { type Met, runSequence, type Stage } from './sequence.ts';

/** A difference with the shortest sequence that shows it. */
export interface Shrunk {
  readonly difference: Difference;
  readonly steps: readonly Step[];
  readonly seed: number;
  /** With the seed, what makes fast-check go straight to the shrunk sequence. */
  readonly path: string;
  /** Exchanges of the run that confirmed it, by their numbers. */
  readonly exchanges: Met['exchanges'];
  /** Met once, and by none of the tries after that: it depends on what came before, or on the moment. */
  readonly isFlaky: boolean;
  /** Steps of the sequence in which it was first met. */
  readonly metIn: number;
}

export interface SearchOptions {
  readonly seed: number;
  /** Goes straight to one sequence, instead of drawing new ones. */
  readonly path?: string;
  /** Runs this sequence alone, in place of drawn ones. */
  readonly steps?: readonly Step[];
  /** Sequences to draw at most. */
  readonly sequences: number;
  /** Time by the monotonic clock after which nothing new is drawn. */
  readonly untilMs: number;
}

/** Time that one difference is shrunk for. */
const SHRINK_MS = 40_000;

/** Draws sequences over one family until one shows a difference, and shrinks it. Undefined where none does. */
export async function search(stage: Stage, options: SearchOptions, clock: Clock): Promise<Shrunk | undefined> {
  const { family, table } = stage.context;
  let stopShrinkingMs = Number.POSITIVE_INFINITY;
  stage.patience('long');
  let first: { readonly key: string; readonly steps: readonly Step[]; readonly met: Met } | undefined;
  const holds = async (steps: readonly Step[]): Promise<boolean> => {
    const now = clock.monotonicMs();
    const isOver = first === undefined ? now > options.untilMs : now > stopShrinkingMs;
    if (isOver || stage.signal.aborted) return true;
    const met = await runSequence(steps, stage);
    if (met === undefined) return true;
    const { requirement, family: where } = met.difference;
    const key = [requirement, where].join(' ');
    if (first === undefined) {
      first = { key, steps, met };
      stopShrinkingMs = clock.monotonicMs() + SHRINK_MS;
      stage.patience('short');
    }
    // What is shrunk stays a difference from the same requirement.
    return key !== first.key;
  };
  const drawn = options.steps === undefined ? sequences(table, family, nameMember(family)) : fc.constant(options.steps);
  const property = fc.asyncProperty(drawn, holds);
  const details = await fc.check(property, {
    seed: options.seed,
    numRuns: options.path === undefined && options.steps === undefined ? options.sequences : 1,
    ...(options.path === undefined ? {} : { path: options.path, endOnFailure: true }),
  });
  const steps = details.counterexample?.[0];
  const { counterexamplePath } = details;
  if (!details.failed || first === undefined || steps === undefined || counterexamplePath === null) return undefined;
  stage.patience('long');
  const shortest = await confirm(steps, stage);
  // What depends on what came before may need the whole sequence: the path without its shrinking leads there.
  const whole = shortest === undefined ? await confirm(first.steps, stage) : undefined;
  const isFlaky = shortest === undefined && whole === undefined;
  if (isFlaky && (await doOthersWrite(stage))) return undefined;
  const { difference, steps: needed, exchanges } = shortest ?? whole ?? first.met;
  return {
    ...{ difference, exchanges, seed: options.seed, metIn: first.met.steps },
    // What comes after the step that shows it was not sent.
    steps: (shortest === undefined ? first.steps : steps).slice(0, Math.max(1, needed)),
    path: shortest === undefined ? (counterexamplePath.split(':')[0] ?? counterexamplePath) : counterexamplePath,
    isFlaky,
  };
}

/** Times a sequence is run again on fresh records: what depends on what was there before may need more than one. */
const CONFIRMATIONS = 3;

async function confirm(steps: readonly Step[], stage: Stage): Promise<Met | undefined> {
  for (let tries = 0; tries < CONFIRMATIONS; tries += 1) {
    const met = await runSequence(steps, stage);
    if (met !== undefined) return met;
  }
  return undefined;
}
