import { defined } from '../../lib/defined.ts';
import { decidingSteps } from '../../lib/judge/capacity/settle.ts';
import type { CapacityAnswer, CapacityReport } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { cellAnchor } from '../html/load/cell-details.tsx';
import type { Piece } from './block.ts';

/** The steps of one search, the deciding try of each. */
export function stepsOf({ steps }: CapacityReport, { profile, operation }: CapacityAnswer): readonly CellReport[] {
  return decidingSteps(steps.filter((step) => step.profile === profile && step.operation === operation));
}

/** The run that confirmed the claim, or the last one that tried to; undefined where there was none. */
function confirmingStep(steps: readonly CellReport[], { confirmation }: CapacityAnswer): CellReport | undefined {
  return steps.findLast(
    ({ facts }) => facts.step?.purpose === 'confirm' && facts.plan.targetPerSecond === confirmation?.ratePerSecond,
  );
}

/** The cell that a rate was last measured in on the connections of the search. */
export function stepAt(steps: readonly CellReport[], ratePerSecond: number | null): CellReport | undefined {
  const near = new Set(['search', 'repeat', 'confirm']);
  return steps.findLast(
    ({ facts }) => near.has(facts.step?.purpose ?? '') && facts.plan.targetPerSecond === ratePerSecond,
  );
}

/** The cell that the claim rests on: the confirmation, else the last at that rate, else the first of all. */
export function claimedStep(steps: readonly CellReport[], answer: CapacityAnswer): CellReport | undefined {
  return confirmingStep(steps, answer) ?? stepAt(steps, answer.heldPerSecond) ?? steps[0];
}

/** A figure that links to its cell; plain where there is none. */
export function figure(text: string, cell: CellReport | undefined, strong?: true): Piece {
  const link = cell === undefined ? {} : { href: `index.html#${cellAnchor(cell)}` };
  return { text, ...link, ...defined({ strong }) };
}
