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
const PLACES = 141;
const WIDTHS = 25;
/** The knee may lie this far beyond the rates between which it was seen, as a share; its width is between these shares. */
const BEYOND = 0.25;
const [LEAST_WIDTH, MOST_WIDTH] = [0.002, 0.2];
/** Wider knees are a little likelier before any step, by this power of the width: a bound that trusts few steps is too high. */
const WIDER = 0.25;
const CONFIDENCE = 0.95;
/** A knee whose likelihood is this far below the best, as a logarithm, weighs nothing. */
const NEGLIGIBLE = 14;

/** A knee that the steps allow, in logarithms of the rate, with its weight. */
interface Allowed {
  readonly place: number;
  readonly width: number;
  readonly weight: number;
}

/** Logarithm of 1 / (1 + e^-x), for any x. */
function logShare(x: number): number {
  return x > 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}

/** The knee at which the share `p` of the weight is reached, in the order given. */
function atWeight(knees: readonly Allowed[], p: number): Allowed {
  const whole = knees.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const knee of knees) {
    passed += knee.weight;
    if (passed >= p * whole) return knee;
  }
  return knees.at(-1) as Allowed;
}

/** Value below which the share `p` of the weight lies. */
function weighedQuantile(knees: readonly Allowed[], value: (knee: Allowed) => number, p: number): number {
  const sorted = knees.toSorted((a, b) => value(a) - value(b));
  return value(atWeight(sorted, p));
}

/** Logarithm of the rate that a step holds with a probability of 0.95. */
const holdsAt = ({ place, width }: Allowed) => place - ODDS * width;

/**
 * The knees that the steps allow. The probability that a step holds is a logistic function of the logarithm of its rate;
 * the likelihood is taken over a grid of places and widths. Before any step, each place and each order of magnitude of the
 * width is as likely as the next. A grid needs no starting point, and is right where held and failed rates do not overlap.
 * Empty without a step that held and one that failed.
 */
function allowedKnees(trials: readonly Trial[]): readonly Allowed[] {
  const ratesOf = (wanted: Trial['outcome']) =>
    trials.filter(({ outcome }) => outcome === wanted).map(({ ratePerSecond }) => Math.log(ratePerSecond));
  const [held, failed] = [ratesOf('held'), ratesOf('failed')];
  if (held.length === 0 || failed.length === 0) return [];
  const edges = [Math.max(...held), Math.min(...failed)];
  const [from, to] = [Math.min(...edges) - BEYOND, Math.max(...edges) + BEYOND];
  const cells = Array.from({ length: PLACES * WIDTHS }, (_, index) => {
    const place = from + ((to - from) * (index % PLACES)) / (PLACES - 1);
    const width = LEAST_WIDTH * (MOST_WIDTH / LEAST_WIDTH) ** (Math.floor(index / PLACES) / (WIDTHS - 1));
    const log =
      WIDER * Math.log(width) +
      held.reduce((sum, x) => sum + logShare((place - x) / width), 0) +
      failed.reduce((sum, x) => sum + logShare((x - place) / width), 0);
    return { place, width, log };
  });
  const best = cells.reduce((most, { log }) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  return cells
    .filter(({ log }) => log > best - NEGLIGIBLE)
    .map(({ place, width, log }) => ({ place, width, weight: Math.exp(log - best) }));
}

/**
 * A rate at which one more step teaches much: a knee is drawn by its weight, then a rate between its middle and where 95 of
 * 100 steps hold. Null like `fitKnee`.
 */
export function drawNearKnee(trials: readonly Trial[], random: () => number): number | null {
  const knees = allowedKnees(trials);
  if (knees.length === 0) return null;
  const { place, width } = atWeight(knees, random());
  return Math.exp(place - ODDS * width * Math.sqrt(random()));
}

/** Fits the knee to the steps. Null without a step that held and one that failed. */
export function fitKnee(trials: readonly Trial[]): Knee | null {
  const knees = allowedKnees(trials);
  if (knees.length === 0) return null;
  return {
    ratePerSecond: Math.exp(weighedQuantile(knees, ({ place }) => place, 0.5)),
    width: weighedQuantile(knees, ({ width }) => width, 0.5),
    holdsPerSecond: Math.exp(weighedQuantile(knees, holdsAt, 0.5)),
    boundPerSecond: Math.exp(weighedQuantile(knees, holdsAt, 1 - CONFIDENCE)),
    steps: trials.filter(({ outcome }) => outcome !== 'invalid').length,
  };
}
