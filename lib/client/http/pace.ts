import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';

/** Requests at a time to begin with: what a guest may always ask for. */
const START = 10;
/** An answer this late is a sign of crowding, where the same kind of request is answered faster with less under way. */
const SLOW_MS = 2000;
/** Share of the time limit after which an answer is late as well: there must be room for what is still in the queue. */
const SLOW_SHARE = 0.25;
/** How many times the least that was seen an answer takes when it waits for others of ours. */
const CROWDED = 2;
/** A connection that is lost among so few is lost by chance, and not for their number. */
export const FEW = 2;
/** Answers without a loss after which one more is tried than what connections were last lost at. */
const FORGET = 500;

/** How a request ended: answered after so long, answered that there are too many, turned away or without its connection, or not in time. */
export type Ending = number | 'overloaded' | 'lost' | 'timeout';

/**
 * Finds how many requests a target takes at a time, from 1 to `connections`: one more if all were answered in good time, half as many if
 * answers are late, less is asked for or connections are lost. What connections were lost at is not tried again soon.
 */
export function adaptivePace({ connections, timeoutMs }: { readonly connections: number; readonly timeoutMs: number }) {
  const slowMs = Math.min(SLOW_MS, SLOW_SHARE * timeoutMs);
  const leastMs = new Map<string, number>();
  let most = connections;
  let ceiling = most;
  let window = Math.min(START, most);
  /** Up to here it is one more for each answer, beyond it one more for each round of answers. */
  let steep = most;
  let byChance = false;
  let calm = 0;
  let round = 0;
  const slots = pLimit(window);
  const set = (wanted: number) => {
    window = Math.max(1, Math.min(wanted, ceiling, most));
    slots.concurrency = Math.floor(window);
  };
  const grow = () => {
    calm += 1;
    if (calm % FORGET === 0) ceiling = Math.min(ceiling + 1, most);
    if (slots.activeCount >= slots.concurrency) set(window + (window < steep ? 1 : 1 / window));
  };
  const shrink = () => {
    round += 1;
    steep = Math.max(1, window / 2);
    set(steep);
  };
  const lose = (among: number) => {
    calm = 0;
    if (among <= FEW) {
      byChance = true;
      ceiling = most;
      // A fault of the target that ends all connections at once says little of their number.
    } else if (!byChance) ceiling = Math.max(Math.min(ceiling, among) - 1, Math.ceil(among / 2));
  };
  return {
    slot: slots,
    /** Called within a slot when a request goes out; requests of one kind are expected to take about as long. */
    sends(kind: string) {
      const [among, begun] = [Math.max(1, slots.activeCount), round];
      return {
        among,
        ended(how: Ending) {
          if (how === 'lost') lose(among);
          if (typeof how === 'number') {
            const least = Math.min(leastMs.get(kind) ?? how, how);
            // What it takes alone is its own time, however long.
            leastMs.set(kind, among === 1 ? how : least);
            const late = among > 1 && how > slowMs && how > CROWDED * least;
            if (!late && how <= slowMs / 2) grow();
            if (!late) return;
          }
          // The others of a round say the same once more.
          if (begun === round && among > 1) shrink();
        },
      };
    },
    atOnce: () => slots.concurrency,
    limit(asked: number) {
      most = Math.min(connections, asked);
      ceiling = Math.max(ceiling, Math.min(START, most));
      set(Math.max(window, Math.min(START, most)));
    },
  };
}

export type Pace = ReturnType<typeof adaptivePace>;

/** Statuses of a target that takes so many in a second and no more (RFC 6585, 4). */
const TOO_MANY = 429;
const SECOND_MS = 1000;
const LEAST = 5;
const MOST_TIMES = 1000;
/** The next rate after one that was too high, or that the target kept up with for a second; steps are larger until the first turn. */
const FEWER = { first: 0.5, later: 0.8 };
const MORE = { first: 2, later: 1.05 };

/** At most `most` requests a second. Without it, nothing waits until a 429: then as many as were just taken in a second, slowly more. */
export function requestRate(most: number | undefined, clock: Clock) {
  const highest = most ?? Number.POSITIVE_INFINITY;
  const taken: number[] = [];
  let perSecond = highest;
  let isSought = true;
  let last: 'set' | 'lowered' | 'raised' = 'set';
  let [nextMs, loweredMs, inARow] = [0, Number.NEGATIVE_INFINITY, 0];
  const change = (to: 'lowered' | 'raised', { first, later }: typeof MORE) => {
    if (last !== 'set' && last !== to) isSought = false;
    perSecond = Math.min(highest, Math.max(LEAST, perSecond * (isSought ? first : later)));
    last = to;
    inARow = 0;
  };
  return {
    /** Waits for the turn of a request; throws the reason of the signal if it is over before. */
    async turn(signal?: AbortSignal): Promise<void> {
      if (perSecond === Number.POSITIVE_INFINITY) return;
      const now = clock.monotonicMs();
      const mine = Math.max(now, nextMs);
      nextMs = mine + SECOND_MS / perSecond;
      if (mine > now) await clock.sleep(mine - now, signal);
    },
    answered(status: number): void {
      const now = clock.monotonicMs();
      const isLimited = perSecond < Number.POSITIVE_INFINITY;
      if (status === TOO_MANY) {
        inARow = 0;
        // Those of one burst say the same once more.
        if (now - loweredMs < SECOND_MS) return;
        loweredMs = now;
        if (isLimited) change('lowered', FEWER);
        else perSecond = Math.max(LEAST, taken.filter((ms) => ms > now - SECOND_MS).length);
        return;
      }
      inARow += 1;
      if (isLimited && perSecond < highest && inARow >= perSecond) change('raised', MORE);
      if (isLimited) return;
      taken.push(now);
      if (taken.length > MOST_TIMES) taken.shift();
    },
  };
}
