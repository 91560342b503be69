import { median } from '../../lib/stats/trend.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import { type Child, peakMegabytes, script, startChild } from './child.ts';
import { type Figure, figureOf, ratios } from './figure.ts';
import { ancBytes, drive, longestGap, timedList } from './raw-http.ts';

const CONNECTIONS = 32;
/** Endpoints that are applied and cleared in a round; all others hold a policy already. */
const FREE = 20_000;
const PAGE = 100;
const LISTS = 20;
const SMALL = 60_000;
const LARGE = 500_000;

type Held = Child<{ readonly port: number; readonly policyName: string }>;

const heldServer = (sessions: number): Promise<Held> =>
  startChild(script('held-server.ts', String(sessions), String(sessions - FREE)));

/** Applies and clears the free endpoints: transactions a second of each. */
async function wave({ ready }: Held, sessions: number, op: 'apply' | 'clear'): Promise<number> {
  const first = sessions - FREE;
  const requests = Array.from({ length: FREE }, (_, index) => ancBytes(op, macOf(first + index), ready.policyName));
  return FREE / (await drive(ready.port, requests, CONNECTIONS));
}

/** Time of page 5,000 over that of page 1, taken in turns. */
async function pageRatio(port: number): Promise<number> {
  const first: number[] = [];
  const last: number[] = [];
  for (let index = 0; index < LISTS; index += 1) {
    for (const [page, times] of [
      [1, first],
      [LARGE / PAGE, last],
    ] as const) {
      const { ms, records } = await timedList(port, `size=${PAGE}&page=${page}`);
      if (records !== PAGE) throw new Error(`page ${page} holds ${records} records`);
      times.push(ms);
    }
  }
  return median(last) / median(first);
}

/** The longest wait for an ANC answer while a list filters and sorts 500,000 records, and how long that list took. */
async function gapWhileListing({ ready }: Held): Promise<{ readonly gapMs: number; readonly listMs: number }> {
  const mac = macOf(LARGE - 1);
  const requests = (['clear', 'apply'] as const).map((op) => ancBytes(op, mac, ready.policyName));
  let done = false;
  let sent = 0;
  // In pairs, so that the endpoint holds its policy at the end.
  const pair = () => requests[sent++ % 2] ?? Buffer.alloc(0);
  const gap = longestGap(ready.port, pair, () => done && sent % 2 === 0);
  const { ms } = await timedList(ready.port, `filter=name.NCONTAINS.00:1&sortdsc=name&size=${PAGE}`);
  done = true;
  return { gapMs: (await gap).gapMs, listMs: ms };
}

async function benchServe(rounds: number): Promise<Figure[]> {
  const readyMs: number[] = [];
  const megabytes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startChild(['dist/ers-harness.js', 'serve', '--port', '0', '--profile', '500k', '--quiet']);
    readyMs.push(server.readyMs);
    megabytes.push(peakMegabytes(server.pid));
    await server.close();
  }
  return [
    figureOf(
      'reference: ready with 500k sessions',
      readyMs.map((ms) => ms / 1000),
      's',
      'lower',
      2,
    ),
    figureOf('reference: memory when ready with 500k', megabytes, 'MB', 'lower', 400),
  ];
}

interface Rounds {
  readonly small: number[];
  readonly large: number[];
  readonly pages: number[];
  readonly gaps: number[];
  readonly lists: number[];
}

async function round(small: Held, large: Held, taken: Rounds): Promise<void> {
  const both = async (op: 'apply' | 'clear') => [await wave(small, SMALL, op), await wave(large, LARGE, op)] as const;
  const applied = await both('apply');
  taken.pages.push(await pageRatio(large.ready.port));
  const { gapMs, listMs } = await gapWhileListing(large);
  taken.gaps.push(gapMs);
  taken.lists.push(listMs);
  const cleared = await both('clear');
  taken.small.push((applied[0] + cleared[0]) / 2);
  taken.large.push((applied[1] + cleared[1]) / 2);
}

/** The reference deployment: how fast, how soon ready, how large, and whether size slows it down. */
export async function benchReference(rounds: number): Promise<Figure[]> {
  const served = await benchServe(rounds);
  const small = await heldServer(SMALL);
  const large = await heldServer(LARGE);
  const taken: Rounds = { small: [], large: [], pages: [], gaps: [], lists: [] };
  let memory = Number.NaN;
  try {
    // The first waves compile.
    for (const op of ['apply', 'clear'] as const) await wave(small, SMALL, op);
    for (const op of ['apply', 'clear'] as const) await wave(large, LARGE, op);
    for (let index = 0; index < rounds; index += 1) await round(small, large, taken);
    memory = peakMegabytes(large.pid);
  } finally {
    await small.close();
    await large.close();
  }
  return [
    ...served,
    figureOf('reference: ANC with 60k held', taken.small, '/s', 'higher', 10_000),
    figureOf('reference: ANC with 500k held', taken.large, '/s', 'higher'),
    figureOf('reference: ANC 500k / 60k', ratios(taken.large, taken.small), 'ratio', 'higher', 0.9),
    figureOf('reference: page 5,000 / page 1', taken.pages, 'ratio', 'lower', 3),
    figureOf('reference: longest ANC wait during a list', taken.gaps, 'ms', 'lower'),
    figureOf('reference: that list of 500k, sorted', taken.lists, 'ms', 'lower'),
    figureOf('reference: memory with 500k held', [memory], 'MB', 'lower'),
  ];
}
