import fc from 'fast-check';
import type { Exchange } from '../../../lib/client/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { doOthersWrite } from '../../driver/others.ts';
import { hurried } from '../../driver/patience.ts';
import { runSteps } from '../../driver/run.ts';
import { isOnlyRead, REMOVED, type Session } from '../../driver/session.ts';
import { nameFilter } from '../../kit/fields.ts';
import { type Difference, differenceKey } from '../../model/difference.ts';
import { type Criterion, flat, labelsIn, PLAIN, type Step, type Steps } from '../../steps/step.ts';
import { look, read, together } from '../make.ts';
import { plainest } from '../plainer.ts';
import { sequences } from './draw.ts';

interface Watched {
  readonly step: Step;
  readonly of: number;
}

const list = (on: 'own' | 'view', about: string, criteria: readonly Criterion[]): Step =>
  look({ window: 'list', on, about, query: { criteria, paging: 'link', size: 100 }, carried: PLAIN });

function named(family: Family, about: string, part: 'whole' | 'former'): Steps {
  const field = nameFilter(family);
  return field === undefined ? [] : [list('own', about, [{ field, operator: 'EQ', part }])];
}

const written = (steps: Steps): readonly string[] =>
  flat(steps).flatMap((step) => {
    const isDelete = step.step === 'delete' || (step.step === 'bulk' && step.action === 'delete');
    return isDelete ? [REMOVED] : labelsIn(step);
  });

/** What is looked at after a step: all at one time, so that each look takes another connection than the write. `at`: which goes first. */
function after(family: Family, step: Step, at: number): Steps {
  if (step.step === 'apply' || step.step === 'clear') return [look({ window: 'endpoints' })];
  const who = written([step]).slice(0, 4);
  const [first] = who;
  if (first === undefined) return [];
  const isRename = flat([step]).some((each) => each.step === 'update' && each.name !== undefined);
  const looks = [
    ...who.map((each) => read(each)),
    ...(first === REMOVED ? [] : named(family, first, 'whole')),
    ...(isRename ? named(family, first, 'former') : []),
    // A neighbor stays as it is; a request that may be refused changes nothing at all.
    read(`#${at}`),
    ...(step.step === 'wrong' ? [read('#0'), read('#1'), list('own', first, [])] : []),
  ];
  const turn = at % looks.length;
  return [together(...looks.slice(turn), ...looks.slice(0, turn))];
}

/** Looks at everything that a sequence made, or at what others have there. */
function everything(family: Family, steps: Steps): Steps {
  const own = [...new Set(written(steps))].filter((who) => who !== REMOVED && !who.startsWith('#'));
  const who = isOnlyRead(family) ? ['#0', '#1', '#2', '#3', '#4', '#5'] : own;
  return [
    ...(who.length === 0 ? [] : [together(...who.map((each) => read(each)))]),
    list('own', '#0', []),
    list('view', '#0', []),
  ];
}

/** The steps as they are sent: each write with looks after it, and looks at everything at the end. */
export function watched(family: Family, steps: Steps, isFull: boolean): readonly Watched[] {
  const of = steps.length - 1;
  return [
    ...steps.flatMap((step, at): readonly Watched[] => {
      if (step.step === 'bulk' && !isFull) return [];
      return [step, ...after(family, step, at)].map((each) => ({ step: each, of: at }));
    }),
    ...everything(family, steps).map((step) => ({ step, of })),
  ];
}

export interface Stage {
  /** Opens a session for one run of a sequence: what others left, or runs before it, is none of its records. */
  readonly open: () => Promise<Session>;
  readonly table: FamilyTable;
  readonly family: Family;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

interface Met {
  readonly difference: Difference;
  readonly steps: number;
  readonly exchanges: readonly Exchange[];
}

/** A difference with the shortest sequence that shows it. */
export interface Shrunk {
  readonly difference: Difference;
  /** Family of the sequence: that of the difference may be a view of it. */
  readonly family: string;
  readonly steps: Steps;
  readonly seed: number;
  /** With the seed, what makes fast-check go straight to the sequence, which is shrunk again. */
  readonly path: string;
  /** Exchanges of the run that confirmed it. */
  readonly exchanges: readonly Exchange[];
  /** Met once, and by none of the tries after that: it depends on what came before, or on the moment. */
  readonly isFlaky: boolean;
  readonly metIn: number;
}

export interface SearchOptions {
  readonly seed: number;
  readonly path?: string;
  readonly steps?: Steps;
  readonly sequences: number;
  /** Time by the monotonic clock after which nothing new is drawn. */
  readonly untilMs: number;
}

const SHRINK_MS = 40_000;
/** Times a sequence is run again on fresh records: what depends on what was there before may need more than one. */
const CONFIRMATIONS = 3;

/** Runs a sequence on records of its own. Undefined if the target did all that the oracle says. */
async function runOne({ open, signal, family }: Stage, steps: Steps, { isHurried = false } = {}) {
  const session = await open();
  if (isHurried) session.eventually = hurried(session);
  const all = watched(family, steps, session.context.run.isFull);
  const sent = all.map(({ step }) => step);
  const { difference, exchanges, begun } = await runSteps(session, sent, { isOver: () => signal.aborted });
  return difference === undefined ? undefined : { difference, exchanges, steps: (all[begun - 1]?.of ?? 0) + 1 };
}

async function confirm(stage: Stage, steps: Steps): Promise<Met | undefined> {
  for (let tries = 0; tries < CONFIRMATIONS; tries += 1) {
    const met = await runOne(stage, steps);
    if (met !== undefined) return met;
  }
  return undefined;
}

async function firstMet(stage: Stage, { seed, path, steps, ...options }: SearchOptions) {
  const { clock, signal, family, table } = stage;
  let met: Met | undefined;
  const drawn = steps === undefined ? sequences(table, family) : fc.constant(steps);
  const property = fc.asyncProperty(drawn, async (each) => {
    if (clock.monotonicMs() > options.untilMs || signal.aborted) return true;
    met = await runOne(stage, each);
    return met === undefined;
  });
  const { counterexample, counterexamplePath } = await fc.check(property, {
    ...{ seed, endOnFailure: true, numRuns: path === undefined && steps === undefined ? options.sequences : 1 },
    ...defined({ path }),
  });
  return met === undefined || counterexample === null || counterexamplePath === null
    ? undefined
    : { steps: counterexample[0], met, path: counterexamplePath };
}

/** Draws sequences over one family until one shows a difference, and shrinks it. Undefined if none does. Throws `TargetError`. */
export async function search(stage: Stage, options: SearchOptions): Promise<Shrunk | undefined> {
  const { clock, signal } = stage;
  const first = await firstMet(stage, options);
  if (first === undefined) return undefined;
  const { met, path } = first;
  const stopMs = clock.monotonicMs() + SHRINK_MS;
  const steps = await plainest(first.steps.slice(0, met.steps), async (some) => {
    if (clock.monotonicMs() > stopMs || signal.aborted) return false;
    const again = await runOne(stage, some, { isHurried: true });
    return again !== undefined && differenceKey(again.difference) === differenceKey(met.difference);
  });
  const shortest = await confirm(stage, steps);
  // What depends on what came before may need the whole sequence.
  const whole = shortest === undefined ? await confirm(stage, first.steps) : undefined;
  const isFlaky = shortest === undefined && whole === undefined;
  if (isFlaky && (await doOthersWrite(await stage.open()))) return undefined;
  const { difference, steps: needed, exchanges } = shortest ?? whole ?? met;
  return {
    ...{ difference, exchanges, path, isFlaky, seed: options.seed, metIn: met.steps },
    family: stage.family.name,
    // What comes after the step that shows it was not sent.
    steps: (shortest === undefined ? first.steps : steps).slice(0, Math.max(1, needed)),
  };
}
