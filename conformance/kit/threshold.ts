/** Sizes from which on deployments have been seen to do something else: powers of two, and round ones of ten. */
const ROUND = [
  ...Array.from({ length: 13 }, (_, at) => 2 ** (at + 4)),
  ...[10, 100, 1000, 10_000].flatMap((ten) => [1, 2, 3, 5].map((times) => times * ten)),
].sort((one, other) => one - other);

/** Sizes that are tried, at most: enough to find the first one between any two round ones. */
const MOST_TRIES = 24;

/** Where something begins to show, or ends to: at `shows` it does, at `not` it does not, and both are as near as they could be brought. */
export interface Threshold {
  readonly shows: number;
  readonly not: number;
  /** True if it does not show beyond either: it is one size alone. */
  readonly isOnly?: boolean;
}

/** Least size at which something shows, between one at which it does and one at which not. `isShown`: undefined if it cannot be tried. */
async function thresholdOf(first: Threshold, isShown: (size: number) => Promise<boolean | undefined>) {
  let { shows, not } = first;
  const up = Math.sign(shows - not);
  // One size alone is told by the next one.
  if (Math.abs(shows - not) > 1 && (await isShown(shows - up)) === false) not = shows - up;
  const closed = new Set<number>();
  const inside = (size: number) => (size - not) * up > 0 && (shows - size) * up > 0 && !closed.has(size);
  // Next to what is round, and then in the middle.
  const edges = [() => not + up, () => shows - up];
  let tries = 1;
  while (tries < MOST_TRIES && Math.abs(shows - not) > 1) {
    const round = ROUND.filter(inside);
    const size = round[Math.floor(round.length / 2)] ?? edges.shift()?.() ?? Math.floor((shows + not) / 2);
    const is = closed.has(size) ? undefined : await isShown(size);
    tries += is === undefined && round.length > 0 ? 0 : 1;
    if (is === undefined) closed.add(size);
    else if (is) shows = size;
    else not = size;
  }
  if (shows !== first.shows || Math.abs(shows - not) > 1) return { shows, not };
  return (await isShown(shows + up)) === false ? { shows, not, isOnly: true } : { shows, not };
}

const NEAR = [0, 1, 2, 3];

type Asked = [size: number, ends: readonly number[], isShown: (size: number) => Promise<boolean | undefined>];

async function foundBetween(...[size, ends, isShown]: Asked): Promise<Threshold | undefined> {
  for (const end of ends)
    for (const step of NEAR) {
      const other = end + step * Math.sign(size - end);
      const is = await isShown(other);
      if (is === true) break;
      if (is === false) return thresholdOf({ shows: size, not: other }, isShown);
    }
  return undefined;
}

/** Where something that shows at a size begins to. Undefined if it shows at all of the ends, if none can be tried, if it does not show at those beyond, or if it comes and goes: both sides have to come again twice, by turns. */
export async function boundOf(...[size, ends, isShown]: Asked): Promise<Threshold | undefined> {
  const bound = await foundBetween(size, ends, isShown);
  if (bound === undefined) return undefined;
  const isBeyond = (end: number) => !bound.isOnly && (end - bound.shows) * (bound.shows - bound.not) > 0;
  for (const end of ends.filter(isBeyond)) if ((await isShown(end)) === false) return undefined;
  for (const each of [bound.not, bound.shows, bound.not, bound.shows])
    if ((await isShown(each)) === (each === bound.not)) return undefined;
  return bound;
}

/** `more than` what it does not show at, or `at least` what is known to be the first. */
export function thresholdWords({ shows, not, isOnly }: Threshold): string {
  if (isOnly) return `${shows}`;
  const isExact = Math.abs(shows - not) === 1;
  const [least, beyond] = shows > not ? ['at least', 'more than'] : ['at most', 'less than'];
  return isExact ? `${least} ${shows}` : `${beyond} ${not}`;
}
