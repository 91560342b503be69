import { type Family, fieldsOf } from '../../lib/contract/types.ts';
import { groupBy } from '../../lib/group-by.ts';
import { isNumbered, nameMember, rangeOf } from '../kit/fields.ts';
import { BEYOND_ASCII, isForeign, LONG, leastEnd, SHORT, sizedText } from '../kit/text-words.ts';
import { boundOf, type Threshold } from '../kit/threshold.ts';
import { type Fields, firstHeld, type Known } from '../model/history.ts';
import { type Step, type Steps, setsOf } from '../steps/step.ts';
import { NUMBERS } from './pairs/values.ts';

/** By members, `name` for a name, the size from which on a difference shows, or that any character beyond ASCII does; undefined for one that it shows without, or if nobody knows. */
export type Bounds = ReadonlyMap<string, Threshold | typeof BEYOND_ASCII | undefined>;

interface Sized {
  readonly member: string;
  readonly shows: number;
  /** Sizes at which the difference may not show. */
  readonly ends: readonly number[];
  readonly at: (size: number) => Steps;
  readonly isNumber?: true;
}

/** True for a text that is longer than words and names of a run. */
export const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > LONG;

/** What is sized of the members that one write sends; `put`: the sequence that sends something else. */
function sizedIn(family: Family, set: Fields, put: (set: Fields) => Steps): readonly Sized[] {
  return Object.entries(set).flatMap(([member, value]): readonly Sized[] => {
    const range = rangeOf(fieldsOf(family)[member]);
    const own = (shows: number, ends: readonly number[], of: (size: number) => unknown): Sized => ({
      ...{ member, shows, ends },
      at: (size) => put({ ...set, [member]: of(size) }),
    });
    if (isLong(value)) return [own(value.length, [Math.max(SHORT, leastEnd(value))], (size) => sizedText(value, size))];
    if (Array.isArray(value) && value.length > 1) return [own(value.length, [1], (size) => value.slice(0, size))];
    // A number that asks for another one is none.
    if (typeof value !== 'number' || range === undefined || range.or.includes(value)) return [];
    return [{ ...own(value, [range.low, range.high], (size) => size), isNumber: true }];
  });
}

/** Letters at the beginning of a text that others begin with, too. */
export function commonOf([first = '', ...others]: readonly string[]): number {
  const at = [...first].findIndex((_, index) => others.some((other) => other[index] !== first[index]));
  return at < 0 ? first.length : at;
}

/** Long texts of one member that begin alike are sized together, by what they have in common: at another length of one alone, they differ early. */
function sizedAlike(steps: Steps): readonly Sized[] {
  const texts = steps.flatMap((step) =>
    setsOf(step).flatMap(({ set }) =>
      Object.entries(set).flatMap(([member, text]) => (isLong(text) ? [{ member, text }] : [])),
    ),
  );
  return [...groupBy(texts, ({ member }) => member)].flatMap(([member, held]): readonly Sized[] => {
    const all = [...new Set(held.map(({ text }) => text))];
    const common = commonOf(all);
    if (all.length < 2 || common < SHORT) return [];
    const rest = Math.max(...all.map(({ length }) => length)) - common;
    const sized = (text: unknown, size: number) =>
      isLong(text) ? text.slice(0, Math.min(common, Math.max(0, size - rest))) + text.slice(common) : text;
    const at = (size: number) =>
      steps.map((step) =>
        setsOf(step).reduce((each, _, index) => {
          const { set, put } = setsOf(each)[index] as ReturnType<typeof setsOf>[number];
          return member in set ? put({ ...set, [member]: sized(set[member], size) }) : each;
        }, step),
      );
    return [{ member, shows: common + rest, ends: [SHORT + rest], at }];
  });
}

/** Endings of names, each with the sequence that has another. */
const endingsIn = (steps: Steps) =>
  steps.flatMap((step, place) => {
    if ((step.step !== 'create' && step.step !== 'update') || step.name === undefined || !('fresh' in step.name))
      return [];
    const at = (fresh: string) => steps.with(place, { ...step, name: { fresh } });
    return [{ member: 'name', text: step.name.fresh, at, who: step.step === 'create' ? step.as : step.who }];
  });

/** Names that are not short: what is particular about one is its end. */
function sizedNames(family: Family, steps: Steps, made: ReadonlyMap<string, Known>): readonly Sized[] {
  return endingsIn(steps).flatMap(({ member, text, at, who }): readonly Sized[] => {
    const name = made.get(who)?.fields[nameMember(family) ?? 'name'];
    if (text.length < SHORT || typeof name !== 'string') return [];
    const beginning = name.length - text.length;
    const named = (size: number) => at(sizedText(text, size - beginning));
    return [{ member, shows: name.length, ends: [beginning + leastEnd(text)], at: named }];
  });
}

/** Finds out from which size on what is long, large or a number shows a difference. `isTaken`: true for a number that a record has. */
export async function boundsOf(
  family: Family,
  steps: Steps,
  made: ReadonlyMap<string, Known>,
  shows: (steps: Steps) => Promise<boolean>,
  isTaken: (member: string, number: number) => Promise<boolean | undefined>,
): Promise<Bounds> {
  const bounds = new Map<string, Threshold | typeof BEYOND_ASCII | undefined>();
  const sets = steps.flatMap((step, at) =>
    setsOf(step).map(({ set, put }) => ({ set, put: (other: Fields) => steps.with(at, put(other)) })),
  );
  // A number that is written over later is told by that.
  const isLast = (member: string, at: number) => !sets.slice(at + 1).some(({ set }) => member in set);
  const sized = sets.flatMap(({ set, put }, at) =>
    sizedIn(family, set, put).filter(({ member, isNumber }) => !isNumber || isLast(member, at)),
  );
  const alike = sizedAlike(steps);
  const alone = sized.filter(({ member }) => alike.every((each) => each.member !== member));
  const all = [...sizedNames(family, steps, made), ...alike, ...alone];
  for (const { member, shows: size, ends, at, isNumber } of all) {
    const isShown = async (other: number) =>
      isNumber && (await isTaken(member, other)) ? undefined : shows(at(other));
    const found = await boundOf(size, ends, isShown);
    // One number alone that no row asks for stands for any: what comes and goes did not come with the others.
    const isAny = isNumber && found?.isOnly && ![...ends, ...NUMBERS.map(Number)].includes(size);
    if ((found && !isAny) || !bounds.has(member)) bounds.set(member, isAny ? undefined : found);
  }
  const texts = sets.flatMap(({ set, put }) =>
    Object.entries(set).map(([member, text]) => ({
      member,
      text,
      at: (other: string) => put({ ...set, [member]: other }),
    })),
  );
  for (const { member, text, at } of [...texts, ...endingsIn(steps)])
    if (typeof text === 'string' && isForeign(text) && (await shows(at('aéb'))) && (await shows(at('a網b'))))
      bounds.set(member, BEYOND_ASCII);
  return bounds;
}

function numbersOf(family: Family, known: Known): Fields {
  const numbered = Object.keys(known.fields).filter((member) => isNumbered(family, member));
  return Object.fromEntries(numbered.map((member) => [member, firstHeld(known, member)]));
}

/** The creates with the numbers that their records were first given, so that each try has the same ones. */
export function pinned(family: Family, steps: Steps, made: ReadonlyMap<string, Known>): Steps {
  const numbers = (label: string, set: Fields = {}): Fields => {
    const known = made.get(label);
    return known?.family === family.name ? { ...numbersOf(family, known), ...set } : set;
  };
  return steps.map((step): Step => {
    if (step.step === 'together') return { ...step, steps: pinned(family, step.steps, made) };
    if (step.step === 'create') return { ...step, set: numbers(step.as, step.set) };
    if (step.step !== 'bulk' || step.action !== 'create') return step;
    return { ...step, sets: step.who.map((who, at) => numbers(who, step.sets[at])) };
  });
}
