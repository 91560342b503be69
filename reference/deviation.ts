import { UsageError } from '../lib/errors.ts';
import { type Fields, type Kit, type SeamChange, type Seams, type Wraps, wrap } from './seams.ts';

/** What the first records are made with: the families before are there already. */
export type SeedKit = Pick<Kit, 'table' | 'seams'>;

/** Something that makes a deployment other than the reference: a defect, an allowed variation, a rule of a persona, a fault, a null target. */
export interface Deviation {
  /** Wraps for one deployment; what they remember lives in the closure. */
  readonly install: (kit: Kit) => Wraps;
  /** Records that a family starts with, made from those that it would start with; families come in the order of the table. */
  readonly seeds?: (name: string, rows: readonly Fields[], kit: SeedKit) => readonly Fields[];
}

/** One that is chosen by its id. */
export interface NamedDeviation extends Deviation {
  readonly id: string;
  readonly title: string;
}

/** Makes a row of a table of deviations: what it has besides, and the seam that it changes or how it is installed. */
export interface RowOf<D extends NamedDeviation, More> {
  (id: string, title: string, more: More, install: Deviation['install']): D;
  <S extends keyof Seams>(id: string, title: string, more: More, seam: S, change: SeamChange<S>): D;
}

export const rowOf =
  <D extends NamedDeviation, More>(made: (row: NamedDeviation, more: More) => D): RowOf<D, More> =>
  <S extends keyof Seams>(
    id: string,
    title: string,
    more: More,
    how: S | Deviation['install'],
    change: SeamChange<S> = () => ({}),
  ) =>
    made({ id, title, install: typeof how === 'function' ? how : wrap(how, change) }, more);

/** Deviations by id, in the order asked for. Throws `UsageError` that names the known ids. */
export function chosen<D extends NamedDeviation>(
  kind: string,
  all: readonly D[],
  ids: readonly string[],
): readonly D[] {
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
