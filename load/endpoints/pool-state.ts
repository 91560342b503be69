/** What an endpoint is known to hold: nothing, the run's policy, or nobody can say without asking. */
export type Held = 'nothing' | 'policy' | 'unknown';

const CODES: readonly Held[] = ['nothing', 'policy', 'unknown'];

/** Marks of what an endpoint has been through. */
const DOUBTFUL = 1;
const HELD = 2;

/** What every endpoint of the pool holds, as far as the answers tell. */
export interface PoolState {
  readonly get: (index: number) => Held;
  readonly set: (index: number, held: Held) => void;
  /** Endpoints that are not known to hold nothing. */
  readonly toClear: () => readonly number[];
  /** Endpoints that held a policy, or may have, at one time or another. */
  readonly touched: () => readonly number[];
  /** Is this one of them? */
  readonly wasTouched: (index: number) => boolean;
  /** How many endpoints this run has put a policy on at one time or another. */
  readonly everHeld: () => number;
  /** MAC addresses of the pool that held a policy before the load; undefined where nobody looked at all of them. */
  readonly before: () => ReadonlySet<string> | undefined;
  readonly noteBefore: (addresses: Iterable<string>) => void;
}

/** Numbers of the marks that are not 0. */
function marked(marks: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < marks.length; index += 1) if (marks[index] !== 0) found.push(index);
  return found;
}

/** A pool of which nothing holds a policy. One byte for each endpoint. */
export function poolState(size: number): PoolState {
  const codes = new Uint8Array(size);
  const ever = new Uint8Array(size);
  let everHeld = 0;
  let before: ReadonlySet<string> | undefined;
  return {
    get: (index) => CODES[codes[index] ?? 0] ?? 'unknown',
    set(index, held) {
      codes[index] = CODES.indexOf(held);
      const before = ever[index] ?? 0;
      if (held === 'policy' && before < HELD) everHeld += 1;
      ever[index] = Math.max(before, held === 'policy' ? HELD : held === 'unknown' ? DOUBTFUL : 0);
    },
    toClear: () => marked(codes),
    touched: () => marked(ever),
    wasTouched: (index) => (ever[index] ?? 0) !== 0,
    everHeld: () => everHeld,
    before: () => before,
    noteBefore(addresses) {
      before = new Set(addresses);
    },
  };
}
