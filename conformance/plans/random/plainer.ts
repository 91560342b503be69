import { shrink } from '../../kit/shrink.ts';
import { PLAIN, type Step } from '../../steps/step.ts';

/** Something particular about a sequence, by its place, and the plain value in its stead; undefined: it is left out. */
interface Particular {
  readonly place: string;
  readonly plain: unknown;
}

/** Lists whose elements may be left out one by one. */
const LISTS = ['steps', 'criteria'];
const LEFT_OUT = ['join', 'sort', 'size', 'twice'];
const PLAINER: Readonly<Record<string, unknown>> = {
  ...PLAIN,
  form: 'json',
  paging: 'link',
  who: '#0',
  about: '#0',
  name: { fresh: '' },
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function particularsOf(value: unknown, place: string, name: string): readonly Particular[] {
  const own = (each: string, plain?: unknown): Particular => ({ place: `${place}.${each}`, plain });
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([each, inner]): readonly Particular[] => {
    const further = particularsOf(inner, `${place}.${each}`, each);
    // Of a criterion, which record holds the value; of a name, it cannot be left out.
    const isOpen = LEFT_OUT.includes(each) || (each === 'of' && 'operator' in value);
    if (LISTS.includes(name) || name === 'set' || isOpen) return [own(each), ...further];
    // Labels that a step made are no numbers of records.
    const isPlain = each === 'who' && !(typeof inner === 'string' && inner.startsWith('#'));
    if (!(each in PLAINER) || isPlain || isSame(inner, PLAINER[each])) return further;
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

/** Runs that each half of shrinking may take. */
const TRIES = 60;

/** The sequence without the steps that a difference does not need, and these as plain as it still shows. */
export async function plainest(
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  const needed = await shrink(steps, shows, TRIES);
  const all = particularsOf(needed, '', '');
  const rebuilt = (kept: readonly Particular[]) => {
    const dropped = new Map(all.filter((each) => !kept.includes(each)).map(({ place, plain }) => [place, plain]));
    return without(needed, '', dropped) as readonly Step[];
  };
  const plain = rebuilt(await shrink(all, (kept) => shows(rebuilt(kept)), TRIES));
  return plain.flatMap((step) => (step.step === 'together' && step.steps.length < 2 ? step.steps : [step]));
}
