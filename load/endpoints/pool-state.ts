/** What an endpoint is known to hold: nothing, the run's policy, or nobody can say without asking. */
export type Held = 'nothing' | 'policy' | 'unknown';

const CODES: readonly Held[] = ['nothing', 'policy', 'unknown'];

const DOUBTFUL = 1;
const HELD = 2;

function marked(marks: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < marks.length; index += 1) if (marks[index] !== 0) found.push(index);
  return found;
}

/** MAC addresses of the pool that held a policy, and the ids of all records of the list. */
interface Before {
  readonly macs: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

/** What every endpoint of a pool holds, as far as the answers tell; nothing to begin with. One byte for each endpoint. */
export function poolState(size: number) {
  const codes = new Uint8Array(size);
  const ever = new Uint8Array(size);
  let everHeld = 0;
  let before: Before | undefined;
  let foreign: string | undefined;
  return {
    get: (index: number): Held => CODES[codes[index] ?? 0] ?? 'unknown',
    set(index: number, held: Held) {
      codes[index] = CODES.indexOf(held);
      const before = ever[index] ?? 0;
      if (held === 'policy' && before < HELD) everHeld += 1;
      ever[index] = Math.max(before, held === 'policy' ? HELD : held === 'unknown' ? DOUBTFUL : 0);
    },
    toClear: () => marked(codes),
    touched: () => marked(ever),
    wasTouched: (index: number) => (ever[index] ?? 0) !== 0,
    /** How many endpoints this run has put a policy on at one time or another. */
    everHeld: () => everHeld,
    /** An endpoint that holds a policy of somebody else since the load began, in words; undefined if none was seen. */
    foreign: () => foreign,
    noteForeign(words: string) {
      foreign ??= words;
    },
    /** What the list showed before the load; undefined where nobody read all of it. */
    before: () => before,
    noteBefore(addresses: Iterable<string>, ids: Iterable<string>) {
      before = { macs: new Set(addresses), ids: new Set(ids) };
    },
  };
}
export type PoolState = ReturnType<typeof poolState>;
