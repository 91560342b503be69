import fc from 'fast-check';
import { nameMember } from '../conformance/kit/fields.ts';
import type { Clock } from '../lib/clock.ts';
import { sequences } from './draw/arbitrary.ts';
import type { Step } from './draw/step.ts';
import type { Difference } from './model/difference.ts';
import type { Stage } from './sequence.ts';
import { runSequence } from './sequence.ts';

/** A difference with the shortest sequence that shows it. */
export interface Shrunk {
  readonly difference: Difference;
  readonly steps: readonly Step[];
  readonly seed: number;
  /** With the seed, what makes fast-check go straight to the shrunk sequence. */
  readonly path: string;
  /** Steps of the sequence in which it was first met. */
  readonly metIn: number;
}

export interface SearchOptions {
  readonly seed: number;
  /** Goes straight to one sequence, instead of drawing new ones. */
  readonly path?: string;
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
  let first: { readonly key: string; readonly length: number } | undefined;
  const holds = async (steps: readonly Step[]): Promise<boolean> => {
    const now = clock.monotonicMs();
    const isOver = first === undefined ? now > options.untilMs : now > stopShrinkingMs;
    if (isOver || stage.signal.aborted) return true;
    const difference = await runSequence(steps, stage);
    if (difference === undefined) return true;
    const key = [difference.requirement, difference.family].join(' ');
    if (first === undefined) {
      first = { key, length: steps.length };
      stopShrinkingMs = clock.monotonicMs() + SHRINK_MS;
      stage.patience('short');
    }
    // What is shrunk stays a difference from the same requirement.
    return key !== first.key;
  };
  const property = fc.asyncProperty(sequences(table, family, nameMember(family)), holds);
  const details = await fc.check(property, {
    seed: options.seed,
    numRuns: options.path === undefined ? options.sequences : 1,
    ...(options.path === undefined ? {} : { path: options.path, endOnFailure: true }),
  });
  const steps = details.counterexample?.[0];
  const { counterexamplePath } = details;
  if (!details.failed || steps === undefined || counterexamplePath === null) return undefined;
  stage.patience('long');
  const confirmed = await confirm(steps, stage);
  if (confirmed === undefined) return undefined;
  return {
    difference: confirmed,
    steps,
    seed: options.seed,
    path: counterexamplePath,
    metIn: first?.length ?? steps.length,
  };
}

/** Times a sequence is run again on fresh records: what depends on what was there before may need more than one. */
const CONFIRMATIONS = 3;

async function confirm(steps: readonly Step[], stage: Stage): Promise<Difference | undefined> {
  for (let tries = 0; tries < CONFIRMATIONS; tries += 1) {
    const difference = await runSequence(steps, stage);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
