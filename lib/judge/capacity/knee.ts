import type { Trial } from './trial.ts';

/** What steps near the knee say of the rate that holds in 95 of 100. */
export interface Knee {
  /** Rate at which half of the steps hold, and how far around it they hold and fail by chance, as a share; medians. */
  readonly ratePerSecond: number;
  readonly width: number;
  /** Rate that holds with a probability of 0.95: its median, and the bound above which it lies with 95 % confidence. */
  readonly holdsPerSecond: number;
  readonly boundPerSecond: number;
  readonly steps: number;
}

/** Log odds of 0.95. */
const ODDS = Math.log(0.95 / 0.05);
const PLACES = 241;
const WIDTHS = 60;
/** The knee may lie this far beyond the rates that were tried, as a share; its width is between these shares. */
const BEYOND = 0.25;
const [LEAST_WIDTH, MOST_WIDTH] = [0.001, 0.08];
const CONFIDENCE = 0.95;

interface Weighed {
  readonly value: number;
  readonly weight: number;
}

/** Value below which the share `p` of the weight lies. */
function weighedQuantile(values: readonly Weighed[], p: number): number {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const whole = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= p * whole) return value;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
}

/** Logarithm of 1 / (1 + e^-x), for any x. */
function logShare(x: number): number {
  return x > 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}

/**
 * Fits the probability that a step holds as a logistic function of the logarithm of its rate. It takes the likelihood
 * over a grid of places and widths of the knee. Before any step, each place and each order of magnitude of the width is
 * as likely as the next. A grid needs no starting point, and is right where held and failed rates do not overlap. Null
 * without a step that held and one that failed.
 */
export function fitKnee(trials: readonly Trial[]): Knee | null {
  const steps = trials
    .filter(({ outcome }) => outcome !== 'invalid')
    .map(({ ratePerSecond, outcome }) => ({ x: Math.log(ratePerSecond), held: outcome === 'held' }));
  const outcomes = new Set(steps.map(({ held }) => held));
  if (outcomes.size < 2) return null;
  const rates = steps.map(({ x }) => x);
  const [from, to] = [Math.min(...rates) - BEYOND, Math.max(...rates) + BEYOND];
  const cells = Array.from({ length: PLACES * WIDTHS }, (_, index) => {
    const place = from + ((to - from) * (index % PLACES)) / (PLACES - 1);
    const width = LEAST_WIDTH * (MOST_WIDTH / LEAST_WIDTH) ** (Math.floor(index / PLACES) / (WIDTHS - 1));
    const log = steps.reduce((sum, { x, held }) => sum + logShare(((held ? 1 : -1) * (place - x)) / width), 0);
    return { place, width, log };
  });
  const best = cells.reduce((most, { log }) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const weighed = (pick: (cell: (typeof cells)[number]) => number) =>
    cells.map((cell) => ({ value: pick(cell), weight: Math.exp(cell.log - best) }));
  const holds = weighed(({ place, width }) => place - ODDS * width);
  return {
    ratePerSecond: Math.exp(
      weighedQuantile(
        weighed(({ place }) => place),
        0.5,
      ),
    ),
    width: weighedQuantile(
      weighed(({ width }) => width),
      0.5,
    ),
    holdsPerSecond: Math.exp(weighedQuantile(holds, 0.5)),
    boundPerSecond: Math.exp(weighedQuantile(holds, 1 - CONFIDENCE)),
    steps: steps.length,
  };
}
