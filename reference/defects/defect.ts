import { type NamedDeviation, rowOf } from '../deviation.ts';

/** A seeded defect: a deployment that has it does not conform. */
export interface Defect extends NamedDeviation {
  /** Requirements it violates; `*` stands for any family or operator. */
  readonly violates: readonly string[];
}

export const defect = rowOf<Defect, Defect['violates']>((row, violates) => ({ ...row, violates }));
