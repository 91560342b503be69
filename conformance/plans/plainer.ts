import { MAC } from '../../lib/wire/endpoint.ts';
import { shrink } from '../kit/shrink.ts';
import { LONG, plainerTexts } from '../kit/text-words.ts';
import { flat, type Likeness, type Name, PLAIN, type Step, type StepOf, type Steps, setsOf } from '../steps/step.ts';
import { create, remove, update } from './make.ts';
import { PARTS } from './words.ts';

/** Something particular about a sequence, by its place, and the plain value in its stead; undefined: it is left out. */
interface Particular {
  readonly place: string;
  readonly plain: unknown;
}

export type Shows = (steps: Steps) => Promise<boolean>;

const LISTS = ['steps', 'criteria'];
const LEFT_OUT = [
  ...['join', 'sort', 'size', 'twice', 'isNamed', 'withId'],
  ...['without', 'refersTo', 'between', 'again', 'back'],
];
const PLAINER: Readonly<Record<string, unknown>> = {
  ...{ ...PLAIN, form: 'json', paging: 'link', who: '#0', about: '#0', name: { fresh: '' } },
  ...{ by: 'mac', spelled: 'plain', policy: 0, part: 'whole' },
};

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function particularsOf(value: unknown, place: string, name: string): readonly Particular[] {
  const own = (each: string, plain?: unknown): Particular => ({ place: `${place}.${each}`, plain });
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([each, inner]): readonly Particular[] => {
    // Of a value that is sent, all is as it is; what an item of a bulk request holds is a set.
    const further = name === 'set' ? [] : particularsOf(inner, `${place}.${each}`, name === 'sets' ? 'set' : each);
    // Of a criterion, which record holds the value; of a name, it cannot be left out.
    const isOpen = LEFT_OUT.includes(each) || (each === 'of' && 'operator' in value);
    if (LISTS.includes(name) || name === 'set' || isOpen) return [own(each), ...further];
    // Labels that a step made are no numbers of records.
    const isLabel = ['who', 'about'].includes(each) && !(typeof inner === 'string' && inner.startsWith('#'));
    // An operand that the request shows to be what it is needs no plainer one.
    const isShown = each === 'part' && !((inner as string) in PARTS);
    if (!(each in PLAINER) || isLabel || isShown || isSame(inner, PLAINER[each])) return further;
    return [own(each, PLAINER[each]), ...further];
  });
}

function without(value: unknown, place: string, dropped: ReadonlyMap<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([each, inner]): [string, unknown][] => {
    const here = `${place}.${each}`;
    if (!dropped.has(here)) return [[each, without(inner, here, dropped)]];
    const plain = dropped.get(here);
    return plain === undefined ? [] : [[each, plain]];
  });
  return Array.isArray(value) ? kept.map(([, each]) => each) : Object.fromEntries(kept);
}

function shorter(step: Step): Steps {
  if (step.step !== 'apply' && step.step !== 'clear' && step.step !== 'bulk') return [];
  if (step.who.length < 2) return [];
  if (step.step !== 'bulk') return step.who.map((one) => ({ ...step, who: step.who.filter((each) => each !== one) }));
  return step.who.map((_, at) => {
    const rest = <T>(list: readonly T[]) => list.filter((_each, place) => place !== at);
    const names = step.names === undefined ? {} : { names: rest(step.names) };
    return { ...step, who: rest(step.who), sets: rest(step.sets), ...names };
  });
}

/** Names that have of themselves what a likeness brings along: a blank between words, a length. */
const LIKE_ALONE: Readonly<Partial<Record<Likeness, string>>> = {
  'one word': ' b',
  'long beginning': 'z'.repeat(LONG),
};

/** What of a name a likeness brings along: what makes it alike, or the ending that it has from the name of the other record. */
function aloneOf(name: Name, steps: Steps): readonly string[] {
  if (!('of' in name)) return [];
  const other = flat(steps).find((step) => step.step === 'create' && step.as === name.of);
  const ending = other?.step === 'create' && 'fresh' in other.name ? other.name.fresh : '';
  return [LIKE_ALONE[name.as] ?? '', ending].filter((each) => each !== '');
}

function withPlainerText(step: Step, steps: Steps): Steps {
  // A part of an address is none.
  const texts = (value: unknown) => (typeof value === 'string' && !MAC.test(value) ? plainerTexts(value) : []);
  const members = setsOf(step).flatMap(({ set, put }) =>
    Object.entries(set).flatMap(([member, value]) => texts(value).map((text) => put({ ...set, [member]: text }))),
  );
  if (step.step !== 'create' && step.step !== 'update') return members;
  const { name } = step;
  const ending = name !== undefined && 'fresh' in name ? name.fresh : '';
  const alone = name === undefined ? [] : aloneOf(name, steps);
  const { name: _, ...unnamed } = step;
  return [
    ...(step.step === 'update' && name !== undefined ? [unnamed as Step] : []),
    ...[...alone, ...plainerTexts(ending)].map((fresh): Step => ({ ...step, name: { fresh } })),
    ...members,
  ];
}

const oneByOne = ({ action, who, sets, names }: StepOf<'bulk'>): Steps => {
  if (action === 'create') return who.map((each, at) => create(each, sets[at], names?.[at]));
  return who.map((each, at) => (action === 'update' ? update(each, sets[at]) : remove(each)));
};

/** What a step may be replaced by that has one thing less about it. */
const simpler = (step: Step, steps: Steps): readonly Steps[] =>
  step.step === 'together'
    ? [step.steps]
    : [
        ...(step.step === 'bulk' && step.who.length > 0 ? [oneByOne(step)] : []),
        ...[...shorter(step), ...withPlainerText(step, steps)].map((each) => [each]),
      ];

/** Each step replaced by a simpler one for as long as the difference shows. */
async function simplified(steps: Steps, shows: Shows, tries: number): Promise<Steps> {
  let all = steps;
  let left = tries;
  for (let at = 0; at < all.length; at += 1) {
    for (const one of simpler(all[at] as Step, all)) {
      if (left <= 0) return all;
      left -= 1;
      const next = [...all.slice(0, at), ...one, ...all.slice(at + 1)];
      if (!(await shows(next))) continue;
      all = next;
      at -= 1;
      break;
    }
  }
  return all;
}

/** The creates of records with what an update that comes later gives them, and without that update, if the difference shows so too. */
async function merged(steps: Steps, shows: Shows): Promise<Steps> {
  for (const update of steps) {
    const made = update.step === 'update' && steps.find((step) => step.step === 'create' && step.as === update.who);
    if (update.step !== 'update' || made === false || made?.step !== 'create') continue;
    const { name = made.name, set } = update;
    const whole: Step = { ...made, name, set: { ...made.set, ...set } };
    const rest = steps.flatMap((step) => (step === update ? [] : [step === made ? whole : step]));
    if (await shows(rest)) return merged(rest, shows);
  }
  return steps;
}

/** The sequences that have one thing less about them. */
export function plainerOnes(steps: Steps): readonly Steps[] {
  return [
    ...steps.slice(0, -1).map((_, at) => steps.toSpliced(at, 1)),
    ...particularsOf(steps, '', '').map(({ place, plain }) => without(steps, '', new Map([[place, plain]])) as Steps),
    ...steps.flatMap((step, at) => simpler(step, steps).map((one) => steps.toSpliced(at, 1, ...one))),
  ];
}

/** The sequence whose last list is asked for a former value, and not what an earlier list was asked for: an index that is late shows so too. */
function askedOnce(steps: Steps): Steps | undefined {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list' || last.look.again !== true) return undefined;
  const { again: _, ...look } = last.look;
  const criteria = look.query.criteria.map((each) => ({ ...each, part: 'former' as const }));
  const before = steps.filter(({ step }) => step !== 'look');
  return [...before, { ...last, look: { ...look, query: { ...look.query, criteria } } }];
}

/** Runs that each part of shrinking may take, if no other number is given. */
const TRIES = 60;

/** The sequence without the steps that a difference does not need, and these as plain as it still shows. */
export async function plainest(given: Steps, shows: Shows, tries = TRIES): Promise<Steps> {
  const once = askedOnce(given);
  const steps = once !== undefined && (await shows(once)) ? once : given;
  const needed = await shrink(steps, async (some) => some.length > 0 && shows(some), tries);
  const all = particularsOf(needed, '', '');
  const rebuilt = (kept: readonly Particular[]) => {
    const dropped = new Map(all.filter((each) => !kept.includes(each)).map(({ place, plain }) => [place, plain]));
    return without(needed, '', dropped) as Steps;
  };
  const plain = rebuilt(await shrink(all, (kept) => shows(rebuilt(kept)), tries));
  const single = plain.flatMap((step) => (step.step === 'together' && step.steps.length < 2 ? step.steps : [step]));
  const simple = await simplified(await merged(single, shows), shows, tries);
  // A name that is like that of no other record needs no other record.
  return isSame(simple, needed) ? simple : shrink(simple, shows, tries);
}
