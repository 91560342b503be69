import type { CheckContext } from '../conformance/kit/check.ts';
import { UsageError } from '../lib/errors.ts';
import type { Step } from './draw/step.ts';
import { type Difference, DifferenceFound } from './model/difference.ts';
import { checkAll, checkRead } from './model/look.ts';
import { type Lessons, offers, type World } from './model/world.ts';
import { ancStep, clearAll } from './steps/anc.ts';
import { listStep } from './steps/lists.ts';
import {
  createStep,
  deleteStep,
  fillStep,
  goneStep,
  refuseStep,
  renameStep,
  reuseStep,
  updateStep,
} from './steps/writes.ts';

/** What a sequence is run in. */
export interface Stage {
  readonly context: CheckContext;
  readonly lessons: Lessons;
  readonly isKnown: (key: string) => boolean;
  readonly serial: () => string;
  /** How long a write may take to show from now on: the whole window, or no longer than it was seen to take, while shrinking. */
  readonly patience: (window: 'long' | 'short') => void;
  readonly signal: AbortSignal;
}

async function readStep(world: World, step: Extract<Step, { readonly kind: 'read' }>): Promise<void> {
  const record = world.held[step.who % Math.max(1, world.held.length)];
  if (record === undefined) return;
  await checkRead(world, record, step.asked === 'xml' ? { headers: { accept: 'application/xml' } } : {});
}

async function perform(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'create':
      return createStep(world, step);
    case 'fill':
      return fillStep(world, step);
    case 'update':
      return updateStep(world, step);
    case 'rename':
      return renameStep(world, step);
    case 'delete':
      return deleteStep(world, step);
    case 'reuse':
      return reuseStep(world, step);
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
    if (offers(world, 'delete')) await Promise.all(world.held.map(({ id }) => world.context.send('delete', { id })));
  } catch {
    // The clean-up of the run looks at everything that is still in the ledger.
  }
}

/**
 * Runs a sequence on records of its own and removes them. Undefined where the target did all that the model says.
 * Throws `TargetError` where no answer came.
 */
export async function runSequence(steps: readonly Step[], stage: Stage): Promise<Difference | undefined> {
  const world: World = { ...stage, held: [], gone: [], numbers: new Set(), policies: new Map() };
  try {
    for (const step of steps) {
      if (stage.signal.aborted) return undefined;
      await perform(world, step).catch((fault: unknown) => {
        // The client writes to nothing that it cannot prove to be ours: such a step is left out.
        if (!(fault instanceof UsageError)) throw fault;
      });
    }
    if (world.held.length + world.gone.length > 0) await checkAll(world);
    return undefined;
  } catch (fault) {
    if (fault instanceof DifferenceFound) return fault.difference;
    throw fault;
  } finally {
    await cleanUp(world);
  }
}
