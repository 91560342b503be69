import type { CheckContext } from '../conformance/kit/check.ts';
import { Blocked } from '../conformance/kit/fault.ts';
import { hasOp } from '../lib/contract/types.ts';
import { UsageError } from '../lib/errors.ts';
import type { Step } from './draw/step.ts';
import { type Difference, DifferenceFound } from './model/difference.ts';
import { checkAll } from './model/look.ts';
import { type Lessons, offers, type World } from './model/world.ts';
import { ancStep, clearAll } from './steps/anc.ts';
import { bulkStep } from './steps/bulk.ts';
import { createStep, fillStep, reuseStep, twinStep } from './steps/create.ts';
import { listStep } from './steps/lists.ts';
import { namedStep, readStep, theirRecords, versionStep } from './steps/reads.ts';
import { deleteStep, goneStep, raceStep, renameStep, updateStep } from './steps/update.ts';
import { refuseStep, throughViewStep } from './steps/wrong.ts';

/** What a sequence is run in. */
export interface Stage {
  readonly context: CheckContext;
  readonly lessons: Lessons;
  readonly isKnown: (key: string) => boolean;
  readonly serial: () => string;
  /** How long a write may take to show from now on: the whole window, or no longer than it was seen to take, while shrinking. */
  readonly patience: (window: 'long' | 'short') => void;
  readonly unhurried: World['unhurried'];
  readonly isAtRest: World['isAtRest'];
  readonly isFull: boolean;
  readonly isServed: World['isServed'];
  readonly signal: AbortSignal;
  /** Exchanges of the family so far. */
  readonly sent: () => number;
}

async function perform(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'create':
      return createStep(world, step);
    case 'fill':
      return fillStep(world, step);
    case 'update':
      return updateStep(world, step);
    case 'race':
      return raceStep(world, step);
    case 'rename':
      return renameStep(world, step);
    case 'delete':
      return deleteStep(world, step);
    case 'reuse':
      return reuseStep(world, step);
    case 'twin':
      return twinStep(world, step);
    case 'bulk':
      return bulkStep(world, step);
    case 'through-view':
      return throughViewStep(world, step);
    case 'named':
      return namedStep(world, step);
    case 'version':
      return versionStep(world, step);
    case 'refuse':
      return refuseStep(world, step);
    case 'gone':
      return goneStep(world, step);
    case 'read':
      return readStep(world, step);
    case 'list':
      return listStep(world, step);
    case 'apply':
    case 'clear':
      return ancStep(world, step);
    case 'look':
      return checkAll(world);
  }
}

/** Removes what the sequence made; what stays is left to the clean-up of the run. Never throws. */
async function cleanUp(world: World): Promise<void> {
  try {
    await clearAll(world);
    const { held, twins, context } = world;
    if (offers(world, 'delete')) await Promise.all(held.map(({ id }) => context.send('delete', { id })));
    await Promise.all(twins.map(({ id, family }) => context.send('delete', { id }, family)));
  } catch {
    // The clean-up of the run looks at everything that is still in the ledger.
  }
}

/** A difference, and how many steps of the sequence came before it or showed it. */
export interface Met {
  readonly difference: Difference;
  readonly steps: number;
  /** Numbers of its first exchange and of the one after its last. */
  readonly exchanges: readonly [from: number, to: number];
}

/** True where others added or removed records of those that a sequence took for its model, which is made anew. */
async function haveChanged(world: World): Promise<boolean> {
  const { lessons } = world;
  const ids = (records: readonly { readonly id: string }[] = []) => records.map(({ id }) => id).join();
  const before = ids(lessons.theirs);
  lessons.theirs = await theirRecords(world);
  return ids(lessons.theirs) !== before;
}

/**
 * Runs a sequence on records of its own and removes them. Undefined where the target did all that the model says.
 * Throws `TargetError` where no answer came.
 */
export async function runSequence(steps: readonly Step[], stage: Stage): Promise<Met | undefined> {
  const { family } = stage.context;
  const areTheirs = !hasOp(family, 'create') && !hasOp(family, 'apply');
  const world: World = {
    ...{ ...stage, areTheirs, held: [], gone: [], twins: [] },
    ...{ numbers: new Set(), policies: new Map() },
  };
  let performed = 0;
  const from = stage.sent();
  try {
    if (areTheirs) {
      world.lessons.theirs ??= await theirRecords(world);
      world.held.push(...world.lessons.theirs);
    }
    for (const step of steps) {
      if (stage.signal.aborted) return undefined;
      performed += 1;
      await perform(world, step).catch((fault: unknown) => {
        // The client writes to nothing that it cannot prove to be ours, nor to a family that is not served: left out.
        if (!(fault instanceof UsageError || fault instanceof Blocked)) throw fault;
      });
    }
    if (world.held.length + world.gone.length > 0) await checkAll(world);
    return undefined;
  } catch (fault) {
    if (!(fault instanceof DifferenceFound)) throw fault;
    if (areTheirs && (await haveChanged(world))) return undefined;
    return { difference: fault.difference, steps: performed, exchanges: [from, stage.sent()] };
  } finally {
    await cleanUp(world);
  }
}
