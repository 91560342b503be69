import type { FamilyTable } from '../../../lib/contract/types.ts';
import type { Kit, Wraps } from '../../seams.ts';
import type { Place } from '../generated/line.ts';
import type { Watch } from '../generated/watch.ts';

/** What the mistakes of this folder hang on, in the order of the tables. */
export const DIMENSIONS = ['history', 'values', 'relations', 'queries', 'who', 'links'] as const;

/** A kind of mistake that needs two things to meet. */
export interface Mistake {
  /** Dimension and name with a dash, as in `history-effect`. */
  readonly id: string;
  /** Sentence of the specification that it breaks. */
  readonly sentence: string;
  readonly title: (place: Place) => string;
  readonly places: (table: FamilyTable) => readonly Place[];
  /** Requirements that the mistake violates; `*` stands for any family or operator. */
  readonly violates: (place: Place) => readonly string[];
  readonly install: (place: Place, kit: Kit, watch: Watch) => Wraps;
}

/** Counts that a place was reached; the answer, with what it is about to change, is the caller's. */
export function meets(watch: Watch, isMet: boolean): boolean {
  watch.exposure.reached += 1;
  if (isMet) watch.exposure.triggered += 1;
  return isMet;
}

/** Counts a difference that was made. */
export function changes<T>(watch: Watch, value: T): T {
  watch.exposure.changed += 1;
  return value;
}
