import { UsageError } from '../lib/errors.ts';
import type { Kit, Wraps } from './seams.ts';

/** Something that makes a deployment other than the reference: a defect, an allowed variation, a fault, a null target. */
export interface Deviation {
  readonly id: string;
  readonly title: string;
  /** Wraps for one deployment; what they remember lives in the closure. */
  readonly install: (kit: Kit) => Wraps;
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
