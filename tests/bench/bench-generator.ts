import { findK6 } from '../../load/k6/binary/binary.ts';
import { type Figure, figureOf, ratios } from './figure.ts';
import { bareK6, type Generator, harness, nullTarget, type Offered } from './generators.ts';

/** Rates tried: 1,000/s and up in steps of 8 %. */
const LOWEST = 1000;
const STEP = 1.08;
const STEPS = 32;
const PROBE_SECONDS = 2;
const NOMINAL = 250;
const NOMINAL_SECONDS = 6;

/** Highest rate of the ladder with no drop, by bisection; the lowest rung where there is none. */
async function highestRate(generator: Generator, offered: Omit<Offered, 'ratePerSecond' | 'seconds'>): Promise<number> {
  const rate = (rung: number) => Math.round(LOWEST * STEP ** rung);
  let [held, failed] = [0, STEPS];
  while (failed - held > 1) {
    const rung = (held + failed) >> 1;
    const { dropped } = await generator({ ...offered, ratePerSecond: rate(rung), seconds: PROBE_SECONDS });
    if (dropped) failed = rung;
    else held = rung;
  }
  return rate(held);
}

const GENERATORS = { harness, bare: bareK6 } as const;

/** The harness against bare k6 on the same PUT and machine, round by round, so that what disturbs one disturbs all. */
export async function benchGenerator(rounds: number): Promise<Figure[]> {
  const k6 = await findK6();
  const target = await nullTarget();
  const offered = { baseUrl: target.baseUrl, k6 };
  const names = Object.keys(GENERATORS) as (keyof typeof GENERATORS)[];
  const highest = { harness: [] as number[], bare: [] as number[] };
  const cores = { harness: [] as number[], bare: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) highest[name].push(await highestRate(GENERATORS[name], offered));
      for (const name of names) {
        const nominal = { ...offered, ratePerSecond: NOMINAL, seconds: NOMINAL_SECONDS };
        cores[name].push((await GENERATORS[name](nominal)).cores);
      }
    }
  } finally {
    target.close();
  }
  return [
    figureOf('highest rate without a drop: harness', highest.harness, '/s'),
    figureOf('highest rate: harness / bare k6', ratios(highest.harness, highest.bare), 'ratio', { least: 0.9 }),
    figureOf('cores at 250/s: harness, collector included', cores.harness, 'cores'),
    figureOf('cores at 250/s: harness / bare k6', ratios(cores.harness, cores.bare), 'ratio', { most: 1.3 }),
  ];
}
