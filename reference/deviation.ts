import { UsageError } from '../lib/errors.ts';
import type { AncTarget } from '../lib/wire/anc.ts';
import type { Dialect } from './dialect.ts';
import {
  type Fields,
  type Kit,
  type MaybePromise,
  type SeamChange,
  type Seams,
  type Store,
  type Wraps,
  wrap,
} from './seams.ts';

/** What the first records are made with: the families before are there already. */
export type SeedKit = Pick<Kit, 'table' | 'seams'>;

/** What makes a deployment other than the reference: a defect, an allowed variation, a rule of a persona, a fault, a null target. */
export interface Deviation {
  /** Wraps for one deployment, innermost first; what they remember lives in the closure. */
  readonly install: (kit: Kit) => Wraps | readonly Wraps[];
  /** Records that a family starts with, made from those that it would start with; families come in the order of the table. */
  readonly seeds?: (name: string, rows: readonly Fields[], kit: SeedKit) => readonly Fields[];
}

export const changing = <S extends keyof Seams>(seam: S, change: SeamChange<S>): Deviation => ({
  install: wrap(seam, change),
});

/** A store that changes, or refuses, the fields of each create and update. */
export const withFields =
  (change: (kind: 'create' | 'update', family: string, fields: Fields, id?: string) => Fields) =>
  (inner: Store): Partial<Store> => ({
    create: (name, fields) => inner.create(name, change('create', name, fields)),
    update: (name, id, fields) => inner.update(name, id, change('update', name, fields, id)),
  });

/** One that does something else with applies and clears: `work` is what was asked for. */
export const onAnc = (
  make: (kit: Kit) => (work: () => MaybePromise<void>, targets: readonly AncTarget[]) => MaybePromise<void>,
): Deviation =>
  changing('anc', ({ apply, clear }, kit) => {
    const turn = make(kit);
    return {
      apply: (targets) => turn(() => apply(targets), targets),
      clear: (targets) => turn(() => clear(targets), targets),
    };
  });

export interface NamedDeviation extends Deviation {
  readonly id: string;
  readonly title: string;
}

const installed = <S extends keyof Seams>(
  how: S | Deviation['install'],
  change: SeamChange<S> = () => ({}),
): Deviation['install'] => (typeof how === 'function' ? how : wrap(how, change));

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

/** A seeded defect: a deployment that has it does not conform. */
export interface Defect extends NamedDeviation {
  /** Requirements it violates; `*` stands for any family or operator. */
  readonly violates: readonly string[];
}

/** A row of the table of defects: how it is installed, or the seam that it changes and how. */
export const defect = <S extends keyof Seams>(
  id: string,
  title: string,
  violates: Defect['violates'],
  how: S | Deviation['install'],
  change?: SeamChange<S>,
): Defect => ({ id, title, violates, install: installed(how, change) });

/** An allowed variation: a deployment that has it conforms. Letters after the number are forms of one variation. */
export interface Variation extends NamedDeviation {
  /** The silence of the specification that it uses. */
  readonly silence: string;
}

export const variation = <S extends keyof Seams>(
  id: string,
  title: string,
  silence: string,
  how: S | Deviation['install'],
  change?: SeamChange<S>,
): Variation => ({ id, title, silence, install: installed(how, change) });

export function choice(id: string, title: string, silence: string, dialect: Partial<Dialect>): Variation {
  return variation(id, title, silence, 'dialect', () => dialect);
}
