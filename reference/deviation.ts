import { UsageError } from '../lib/errors.ts';
import type { Fields, Kit, Wraps } from './seams.ts';

/** What the first records are made with: the families before are there already. */
export type SeedKit = Pick<Kit, 'table' | 'seams'>;

/** Something that makes a deployment other than the reference: a defect, an allowed variation, a rule of a persona, a fault, a null target. */
export interface Deviation {
  readonly id: string;
  readonly title: string;
  /** Wraps for one deployment; what they remember lives in the closure. */
  readonly install: (kit: Kit) => Wraps;
  /** Records that a family starts with, made from those that it would start with; families come in the order of the table. */
  readonly seeds?: (name: string, rows: readonly Fields[], kit: SeedKit) => readonly Fields[];
}

/** Deviations by id, in the order asked for. Throws `UsageError` that names the known ids. */
export function chosen<D extends Deviation>(kind: string, all: readonly D[], ids: readonly string[]): readonly D[] {
  return ids.map((id) => {
    const found = all.find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
    if (found === undefined) {
      throw new UsageError(`unknown-${kind.replace(' ', '-')}`, `there is no ${kind} ${id}`, {
        hint: `one of ${all.map((candidate) => candidate.id).join(', ')}`,
      });
    }
    return found;
  });
}
