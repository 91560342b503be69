import { type NamedDeviation, rowOf } from '../deviation.ts';
import type { Dialect } from '../dialect.ts';

/** An allowed variation: a deployment that has it conforms. Letters after the number are forms of one variation. */
export interface Variation extends NamedDeviation {
  /** The silence of the specification that it uses. */
  readonly silence: string;
}

export const variation = rowOf<Variation, Variation['silence']>((row, silence) => ({ ...row, silence }));

/** A variation that only chooses differently. */
export function choice(id: string, title: string, silence: string, dialect: Partial<Dialect>): Variation {
  return variation(id, title, silence, 'dialect', () => dialect);
}
