import fc from 'fast-check';
import type { Exchange } from '../../../lib/client/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import { doOthersWrite } from '../../driver/others.ts';
import { runSteps } from '../../driver/run.ts';
import type { Session } from '../../driver/session.ts';
import { hurried } from '../../driver/settle.ts';
import { type Difference, differenceKey } from '../../model/difference.ts';
import type { Step } from '../../steps/step.ts';
import { sequences } from './draw.ts';
import { watched } from './watch.ts';

/** What a search works with. */
export interface Stage {
  readonly session: Session;
  /** Records of others, about. */
  readonly foreign: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** A difference, the steps of the sequence up to the one that showed it, and what was sent. */
interface Met {
  readonly difference: Difference;
  readonly steps: number;
  readonly exchanges: readonly Exchange[];
}

/** A difference with the shortest sequence that shows it. */
export interface Shrunk {
  readonly difference: Difference;
  readonly steps: readonly Step[];
  readonly seed: number;
  /** With the seed, what makes fast-check go straight to the shrunk sequence. */
  readonly path: string;
  /** Exchanges of the run that confirmed it. */
  readonly exchanges: readonly Exchange[];
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
/** Times a sequence is run again on fresh records: what depends on what was there before may need more than one. */
const CONFIRMATIONS = 3;

/** Runs a sequence on records of its own. Undefined if the target did all that the oracle says. */
async function runOne({ session, foreign, signal }: Stage, steps: readonly Step[]): Promise<Met | undefined> {
  const { family, run } = session.context;
  const all = watched(family, steps, run.endpoints !== undefined);
  const { difference, exchanges, begun } = await runSteps(
    session,
    all.map(({ step }) => step),
    foreign,
    { isOver: () => signal.aborted },
  );
  return difference === undefined ? undefined : { difference, exchanges, steps: (all[begun - 1]?.of ?? 0) + 1 };
}

async function confirm(stage: Stage, steps: readonly Step[]): Promise<Met | undefined> {
  for (let tries = 0; tries < CONFIRMATIONS; tries += 1) {
    const met = await runOne(stage, steps);
    if (met !== undefined) return met;
  }
  return undefined;
}

/** Draws sequences over one family until one shows a difference, and shrinks it. Undefined if none does. Throws `TargetError` if no answer came. */
export async function search(stage: Stage, options: SearchOptions): Promise<Shrunk | undefined> {
  const { session, clock, signal } = stage;
  const { family, table } = session.context;
  const { eventually } = session;
  let stopShrinkingMs = Number.POSITIVE_INFINITY;
  let first: { readonly steps: readonly Step[]; readonly met: Met } | undefined;
  const holds = async (steps: readonly Step[]): Promise<boolean> => {
    const now = clock.monotonicMs();
    const isOver = first === undefined ? now > options.untilMs : now > stopShrinkingMs;
    if (isOver || signal.aborted) return true;
    const met = await runOne(stage, steps);
    if (met === undefined) return true;
    if (first === undefined) {
      first = { steps, met };
      stopShrinkingMs = clock.monotonicMs() + SHRINK_MS;
      session.eventually = hurried(session, eventually);
    }
    // What is shrunk stays the same difference.
    return differenceKey(met.difference) !== differenceKey(first.met.difference);
  };
  const drawn = options.steps === undefined ? sequences(table, family) : fc.constant(options.steps);
  const details = await fc.check(fc.asyncProperty(drawn, holds), {
    seed: options.seed,
    numRuns: options.path === undefined && options.steps === undefined ? options.sequences : 1,
    ...(options.path === undefined ? {} : { path: options.path, endOnFailure: true }),
  });
  session.eventually = eventually;
  const steps = details.counterexample?.[0];
  const { counterexamplePath } = details;
  if (!details.failed || first === undefined || steps === undefined || counterexamplePath === null) return undefined;
  const shortest = await confirm(stage, steps);
  // What depends on what came before may need the whole sequence: the path without its shrinking leads there.
  const whole = shortest === undefined ? await confirm(stage, first.steps) : undefined;
  const isFlaky = shortest === undefined && whole === undefined;
  if (isFlaky && (await doOthersWrite(session))) return undefined;
  const { difference, steps: needed, exchanges } = shortest ?? whole ?? first.met;
  return {
    ...{ difference, exchanges, seed: options.seed, metIn: first.met.steps },
    // What comes after the step that shows it was not sent.
    steps: (shortest === undefined ? first.steps : steps).slice(0, Math.max(1, needed)),
    path: shortest === undefined ? (counterexamplePath.split(':')[0] ?? counterexamplePath) : counterexamplePath,
    isFlaky,
  };
}
