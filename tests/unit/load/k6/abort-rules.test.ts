import { describe, expect, it } from 'vitest';
import { abortWatch, DEFAULT_ABORT, type EndingCounts } from '../../../../load/plan/abort-rules.ts';

const NONE: EndingCounts = { ended: 0, unserved: 0, unauthorized: 0, forbidden: 0, serverErrors: 0, refused: 0 };

/** Feeds one look a second, each with these transactions more, and gives the second and rule of the stop. */
function secondsOf(
  more: (second: number) => Partial<EndingCounts>,
  p99Ms: (second: number) => number = () => 1,
  limit = {},
) {
  const watch = abortWatch({ ...DEFAULT_ABORT, ...limit });
  let counts = NONE;
  for (let second = 0; second < 30; second += 1) {
    const add = more(second);
    counts = Object.fromEntries(
      Object.entries(counts).map(([key, value]) => [
        key,
        value + ((add[key as keyof EndingCounts] as number | undefined) ?? 0),
      ]),
    ) as unknown as EndingCounts;
    const stop = watch.second(second * 1000, counts, p99Ms(second));
    if (stop !== undefined) return `${stop.rule} at ${second} s`;
  }
  return 'not stopped';
}

describe('the rules that stop a cell', () => {
  it('stop at the first 401', () => {
    const watch = abortWatch(DEFAULT_ABORT);
    expect(watch.counts({ ...NONE, ended: 100 })).toBeUndefined();
    expect(watch.counts({ ...NONE, ended: 101, unauthorized: 1 })?.rule).toBe('refused-login');
  });

  it('let two answers of 403 pass and stop at the third', () => {
    const watch = abortWatch(DEFAULT_ABORT);
    expect(watch.counts({ ...NONE, forbidden: 2 })).toBeUndefined();
    expect(watch.counts({ ...NONE, forbidden: 3 })?.rule).toBe('forbidden');
  });

  const cases: readonly (readonly [string, string, string])[] = [
    [
      'stop when more than half of five seconds is answered 5xx',
      secondsOf(() => ({ ended: 10, serverErrors: 6 })),
      'server-errors at 5 s',
    ],
    ['do not stop at half of them', secondsOf(() => ({ ended: 10, serverErrors: 5 })), 'not stopped'],
    [
      'look at the last five seconds, not at the whole',
      secondsOf((second) => ({ ended: 100, serverErrors: second < 20 ? 0 : 100 })),
      'server-errors at 22 s',
    ],
    [
      'do not stop for a short burst',
      secondsOf((s) => ({ ended: 100, serverErrors: s === 9 || s === 10 ? 100 : 0 })),
      'not stopped',
    ],
    ['stop when connections are refused', secondsOf(() => ({ ended: 10, refused: 10 })), 'refused-connections at 5 s'],
    [
      'end a cell that is to hold its rate so long after its first lost arrival, and not for what was lost at its begin',
      secondsOf((second) => ({ ended: 100, unserved: second === 1 || second === 9 ? 1 : 0 }), undefined, {
        short: { fromMs: 2000, lastsMs: 5000 },
      }),
      'did-not-hold at 14 s',
    ],
    ['do not judge a handful of transactions', secondsOf(() => ({ ended: 1, serverErrors: 1 })), 'not stopped'],
    [
      'stop when the p99 stays above the limit given',
      secondsOf(
        () => ({ ended: 9 }),
        () => 900,
        { p99Ms: 500 },
      ),
      'p99 at 5 s',
    ],
    [
      'do not stop when a second lies below it',
      secondsOf(
        () => ({ ended: 9 }),
        (second) => (second % 4 === 0 ? 100 : 900),
        { p99Ms: 500 },
      ),
      'not stopped',
    ],
    [
      'have no limit on p99 unless one is given',
      secondsOf(
        () => ({ ended: 9 }),
        () => 90_000,
      ),
      'not stopped',
    ],
  ];
  it.each(cases)('%s', (_name, stopped, expected) => {
    expect(stopped).toBe(expected);
  });
});
