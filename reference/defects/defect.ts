import type { Deviation } from '../deviation.ts';

/** A seeded defect: a deployment that has it does not conform. */
export interface Defect extends Deviation {
  /** Requirements it violates; `*` stands for any family or operator. */
  readonly violates: readonly string[];
}
