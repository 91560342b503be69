import jstat from 'jstat';
import { studentQuantile } from './quantiles.ts';

/** What so many workers (threads, connections) got done each second. */
export interface UslPoint {
  readonly n: number;
  readonly perSecond: number;
}

/** An estimate with its 95 % interval. */
interface Estimate {
  readonly value: number;
  readonly interval: [low: number, high: number];
}

/** The Universal Scalability Law fitted: $X(N) = \lambda N / (1 + \sigma (N - 1) + \kappa N (N - 1))$. */
export interface UslCurve {
  /** Rate of one worker alone. */
  readonly lambda: Estimate;
  /** Share of the work that cannot be done side by side. */
  readonly sigma: Estimate;
  /** Cost of keeping workers consistent with each other, by pairs. */
  readonly kappa: Estimate;
  /** Workers at which the rate is highest, and that rate; null where the curve only rises. */
  readonly peak: { readonly n: Estimate; readonly perSecond: Estimate } | null;
  /** Share of the spread of the points that the curve explains. */
  readonly r2: number;
  /** Largest difference between a point and the curve, as a share of the highest point. */
  readonly worst: number;
}

type Parameters = readonly [lambda: number, sigma: number, kappa: number];
type Place = 0 | 1 | 2;

const MOST_ROUNDS = 200;
const LEVEL = 0.975;
const ENOUGH = 1e-12;

/** Rate of the law at so many workers. */
export function uslRate([lambda, sigma, kappa]: Parameters, n: number): number {
  return (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

function gradient([lambda, sigma, kappa]: Parameters, n: number): Parameters {
  const below = 1 + sigma * (n - 1) + kappa * n * (n - 1);
  const rate = (lambda * n) / below;
  return [n / below, (-rate * (n - 1)) / below, (-rate * n * (n - 1)) / below];
}

function squares(points: readonly UslPoint[], at: Parameters): number {
  return points.reduce((sum, { n, perSecond }) => sum + (perSecond - uslRate(at, n)) ** 2, 0);
}

/** Sums of products of the gradients over all points, of the free parameters alone, and of the gradients with what is left over. */
function normal(points: readonly UslPoint[], at: Parameters, free: readonly Place[]) {
  const matrix = free.map(() => free.map(() => 0));
  const side = free.map(() => 0);
  for (const { n, perSecond } of points) {
    const slope = gradient(at, n);
    const left = perSecond - uslRate(at, n);
    for (const [row, a] of free.entries()) {
      side[row] = (side[row] ?? 0) + slope[a] * left;
      for (const [column, b] of free.entries()) {
        const line = matrix[row] ?? [];
        line[column] = (line[column] ?? 0) + slope[a] * slope[b];
      }
    }
  }
  return { matrix, side };
}

/** Least squares by Levenberg and Marquardt, over the free parameters; the others stay 0. */
function descend(points: readonly UslPoint[], start: Parameters, free: readonly Place[]): Parameters {
  let at = start;
  let left = squares(points, at);
  let damping = 1e-3;
  for (let round = 0; round < MOST_ROUNDS && damping < 1e12; round += 1) {
    const { matrix, side } = normal(points, at, free);
    const damped = matrix.map((line, row) =>
      line.map((value, column) => (row === column ? value * (1 + damping) : value)),
    );
    const step = jstat
      .inv(damped)
      .map((line) => line.reduce((sum, value, column) => sum + value * (side[column] ?? 0), 0));
    const next = at.map((value, place) => {
      const row = free.indexOf(place as Place);
      return row < 0 ? value : value + (step[row] ?? 0);
    }) as unknown as Parameters;
    const found = squares(points, next);
    if (!(found <= left)) {
      damping *= 10;
      continue;
    }
    const settled = left - found <= ENOUGH * left;
    [at, left] = [next, found];
    damping /= 10;
    if (settled) break;
  }
  return at;
}

/** A start from the law turned into a straight one: $N / X = (1 + \sigma (N - 1) + \kappa N (N - 1)) / \lambda$. */
function startOf(points: readonly UslPoint[]): Parameters {
  const rows = points.map(({ n, perSecond }) => ({
    terms: [1, n - 1, n * (n - 1)],
    value: n / perSecond,
    weight: perSecond / n,
  }));
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + row.weight ** 2 * pick(row), 0);
  const matrix = [0, 1, 2].map((a) => [0, 1, 2].map((b) => sum(({ terms }) => (terms[a] ?? 0) * (terms[b] ?? 0))));
  const side = [0, 1, 2].map((a) => sum(({ terms, value }) => (terms[a] ?? 0) * value));
  const [one = 0, shared = 0, pairs = 0] = jstat
    .inv(matrix)
    .map((line) => line.reduce((total, value, column) => total + value * (side[column] ?? 0), 0));
  const alone = Math.max(...points.map(({ n, perSecond }) => perSecond / n));
  if (!(one > 0)) return [alone, 0.01, 0.0001];
  return [1 / one, Math.max(shared / one, 1e-4), Math.max(pairs / one, 1e-7)];
}

/** Which parameters are free; the others are at their bound, 0. Every set is tried: the best that keeps the bounds is the solution. */
const SETS: readonly (readonly Place[])[] = [[0, 1, 2], [0, 1], [0, 2], [0]];

/** Variance of a figure that depends on the parameters by this gradient. */
function varianceOf(covariance: readonly (readonly number[])[], slope: Parameters): number {
  return slope.reduce(
    (sum, a, row) => sum + slope.reduce((part, b, column) => part + a * b * (covariance[row]?.[column] ?? 0), 0),
    0,
  );
}

/** Where the curve is highest: its slope there is 0, so that the rate depends on the parameters alone. */
function peakOf(found: Parameters, covariance: readonly (readonly number[])[], factor: number): UslCurve['peak'] {
  const [, sigma, kappa] = found;
  if (!(kappa > 0 && sigma < 1)) return null;
  const n = Math.sqrt((1 - sigma) / kappa);
  const perSecond = uslRate(found, n);
  const ratio = Math.exp(factor * Math.sqrt(varianceOf(covariance, [0, -1 / (2 * (1 - sigma)), -1 / (2 * kappa)])));
  const half = factor * Math.sqrt(varianceOf(covariance, gradient(found, n)));
  return {
    n: { value: n, interval: [n / ratio, n * ratio] },
    perSecond: { value: perSecond, interval: [perSecond - half, perSecond + half] },
  };
}

/**
 * Fits the law by least squares with neither coefficient below 0, and takes the intervals from the curvature (Student's factor). At
 * least four different numbers of workers are needed. Null where the points do not determine the coefficients.
 */
export function fitUsl(points: readonly UslPoint[]): UslCurve | null {
  if (new Set(points.map(({ n }) => n)).size < 4 || points.some(({ perSecond }) => !(perSecond > 0))) return null;
  const start = startOf(points);
  const found = SETS.map((free) =>
    descend(
      points,
      start.map((value, place) => (free.includes(place as Place) ? value : 0)) as unknown as Parameters,
      free,
    ),
  )
    .filter((at) => at.every((value) => value >= 0))
    .sort((a, b) => squares(points, a) - squares(points, b))[0];
  if (found === undefined) return null;
  const left = squares(points, found);
  const df = points.length - 3;
  const covariance = jstat
    .inv(normal(points, found, [0, 1, 2]).matrix)
    .map((line) => line.map((value) => (value * left) / df));
  const factor = studentQuantile(LEVEL, df);
  const estimate = (place: Place): Estimate => {
    const half = factor * Math.sqrt(covariance[place]?.[place] ?? Number.NaN);
    return { value: found[place], interval: [Math.max(0, found[place] - half), found[place] + half] };
  };
  const [lambda, sigma, kappa] = [estimate(0), estimate(1), estimate(2)];
  if ([lambda, sigma, kappa].some(({ interval }) => interval.some(Number.isNaN))) return null;
  const mean = points.reduce((sum, { perSecond }) => sum + perSecond, 0) / points.length;
  const spread = points.reduce((sum, { perSecond }) => sum + (perSecond - mean) ** 2, 0);
  const most = Math.max(...points.map(({ perSecond }) => perSecond));
  const worst = Math.max(...points.map(({ n, perSecond }) => Math.abs(perSecond - uslRate(found, n)))) / most;
  const peak = peakOf(found, covariance, factor);
  return { lambda, sigma, kappa, peak, r2: spread === 0 ? 0 : 1 - left / spread, worst };
}
