import type { CheckContext } from '../../conformance/kit/check.ts';
import { isServerFilled, nameMember } from '../../conformance/kit/fields.ts';
import { hasOp, type Op } from '../../lib/contract/types.ts';
import { type Difference, DifferenceFound, differenceKey } from './difference.ts';

/** A record as the model has it: what was sent for it last. */
export interface Held {
  readonly id: string;
  fields: Record<string, unknown>;
  /** What the last write to it is held against. */
  by: 'PAY-C' | 'PAY-U' | 'SPC-BULK';
}

/** A record of another family that has the name of one of the sequence. */
interface Twin {
  readonly family: string;
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a run learns of its target, for all sequences of a family. */
export interface Lessons {
  /** Operations that were once accepted without anything optional, and in XML. */
  readonly accepted: Set<string>;
  /** Optional parts that the target refused for a reason that the specification leaves open. */
  readonly undecided: Set<string>;
  comparisons: number;
  /** Records that others keep in a family that is only read. */
  theirs?: readonly Held[];
}

/** Everything one sequence works with. */
export interface World {
  readonly context: CheckContext;
  readonly lessons: Lessons;
  readonly isKnown: (key: string) => boolean;
  /** Unique in the run. */
  readonly serial: () => string;
  /** Does the work while writes may take the whole window to show, whatever the window is otherwise. */
  readonly unhurried: <T>(work: () => Promise<T>) => Promise<T>;
  /** True where the last write of the run was longer ago than one was seen to take to show. */
  readonly isAtRest: () => boolean;
  readonly held: Held[];
  readonly gone: { readonly id: string; readonly name: string }[];
  readonly twins: Twin[];
  /** Numbers that the sequence has used, by member. */
  readonly numbers: Set<string>;
  /** Policy that the model has on an endpoint of the pool, by its MAC address in capitals; undefined for none. */
  readonly policies: Map<string, string | undefined>;
  /** True where the records are those that others keep there: the family is only read. */
  readonly areTheirs: boolean;
  /** True where the mode allows bulk requests. */
  readonly isFull: boolean;
  readonly isServed: (family: string) => boolean;
}

/** Ends the sequence, unless the difference is known. */
export function raise({ context, isKnown }: World, difference: Omit<Difference, 'family'>): void {
  const found = { ...difference, family: context.family.name };
  if (!isKnown(differenceKey(found))) throw new DifferenceFound(found);
}

/** Member that names a record of the family. */
export const nameOf = ({ context }: World): string => nameMember(context.family) ?? 'name';

/** A name that no record of the run has. */
export const freshName = ({ context, serial }: World): string => `${context.run.prefix}${serial()}`;

/** The name with its ending, as far as the target is known to take it: without the ending, or else one of letters alone. */
export function takenName(world: World, begin: string, suffix: string): string {
  const { values } = world.context.run;
  return [`${begin}${suffix}`, begin].find((name) => values.takes(nameOf(world), name)) ?? freshName(world);
}

/** The record that a number means. */
export const chosen = ({ held }: World, who: number): Held | undefined => held[who % Math.max(1, held.length)];

/** Members that must come back as they were sent. */
export function comparable(
  { context }: World,
  fields: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] {
  return Object.entries(fields).filter(
    ([member, value]) =>
      member !== 'id' && value !== undefined && value !== '' && !isServerFilled(context.family, member),
  );
}

/** True where the family offers the operation. */
export const offers = ({ context }: World, op: Op): boolean => hasOp(context.family, op);

/** Name of a view that shows the records of the family; undefined where there is none. */
export const viewOf = ({
  context: { table, family },
  isServed,
}: Pick<World, 'context' | 'isServed'>): string | undefined =>
  Object.keys(table).find((name) => table[name]?.viewOf?.includes(family.name) === true && isServed(name));
