import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/random.ts';
import { changePoints } from '../../../lib/stats/trend.ts';

const SERIES = 100;
const SEED = 14;
const NOISE = 0.05;
/** Nights by which two change points may differ and still be the same one. */
const NEAR = 3;
/** Share of series in which both must see the same changes. */
const LEAST_AGREEING = 90;

/** Latencies of 40 to 119 nights: a third flat, most with one step of 5 to 30 % up or down, the others with two. */
function aSeries(random: () => number, at: number): number[] {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const nights = 40 + Math.floor(random() * 80);
  const steps = Array.from({ length: at % 10 < 3 ? 0 : at % 10 < 8 ? 1 : 2 }, () => ({
    from: 10 + Math.floor(random() * (nights - 20)),
    factor: 1 + (random() < 0.7 ? 1 : -1) * (0.05 + 0.25 * random()),
  }));
  return Array.from({ length: nights }, (_, night) => {
    const level = steps.filter(({ from }) => night >= from).reduce((product, { factor }) => product * factor, 24);
    return level * (1 + NOISE * gauss());
  });
}

const near = (one: number, others: readonly number[]) => others.some((other) => Math.abs(other - one) <= NEAR);

/** Our change points beside those of Apache Otava, on series of known truth: in words, and whether they agree. */
export function compareChangePoints(python: string) {
  const random = seededRandom(SEED);
  const series = Array.from({ length: SERIES }, (_, at) => aSeries(random, at));
  const { status, stdout, error } = spawnSync(python, [join(import.meta.dirname, 'find.py')], {
    input: JSON.stringify(series),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 120_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status !== 0) throw error ?? new Error(`find.py ended with ${status}`);
  const theirs = JSON.parse(stdout) as number[][];
  const ours = series.map((values) => (changePoints(values) ?? []).map(({ index }) => index));
  const agreeing = ours.filter((own, at) => {
    const other = theirs[at] ?? [];
    return own.length === other.length && own.every((one) => near(one, other));
  }).length;
  const both = ours.flatMap((own, at) => own.filter((one) => near(one, theirs[at] ?? []))).length;
  const count = (found: readonly (readonly number[])[]) => found.flat().length;
  const words =
    `change points: the same in ${agreeing} of ${SERIES} series, within ${NEAR} nights; ` +
    `ours ${count(ours)}, Apache Otava's ${count(theirs)}, both ${both}`;
  const passed = theirs.length === SERIES && agreeing >= LEAST_AGREEING;
  return { words, passed };
}
