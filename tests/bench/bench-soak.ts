import { meanOf } from '../../lib/stats/spread.ts';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { type Figure, figureOf } from './figure.ts';
import { harness, nullTarget } from './generators.ts';

const SECONDS = 600;
const MB = 1e6;

/** Memory of the collector over ten minutes at 250/s: the last minute over the second one. */
export async function benchSoak(): Promise<Figure[]> {
  const target = await nullTarget();
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(process.memoryUsage.rss() / MB), 1000);
  try {
    await harness({ baseUrl: target.baseUrl, k6: await findK6(), ratePerSecond: 250, seconds: SECONDS });
  } finally {
    clearInterval(timer);
    target.close();
  }
  const [early, late] = [meanOf(memory.slice(60, 120)), meanOf(memory.slice(SECONDS - 60, SECONDS))];
  return [
    figureOf('collector: memory in minute 10 / minute 2', [late / early], 'ratio', { most: 1.2 }),
    figureOf('collector: memory in minute 10', [late], 'MB'),
  ];
}
