import { count, percent, rate } from '../../numbers.ts';
import type { ConnectionRate, Scalability } from '../../records/load/capacity.ts';
import { fitUsl, type UslCurve } from '../../stats/usl.ts';

/** Numbers of connections that a fit of three coefficients needs. */
const FEWEST_POINTS = 5;
/** The law has to explain this share of the spread, and no point may lie further off it, as a share of the highest. */
const LEAST_R2 = 0.95;
const WORST = 0.05;
/** Half the interval of the peak's rate may be this share of it. */
const WIDEST = 0.06;

/** The curve and its peak where the points support them, else the reason. */
function judged({ peak, worst, ...curve }: UslCurve, most: number): Omit<Scalability, 'points'> {
  if (curve.r2 < LEAST_R2) {
    return { noFit: `the law explains ${percent(curve.r2)} of the spread; ${percent(LEAST_R2)} are needed` };
  }
  if (worst > WORST) {
    return {
      noFit: `one number of connections lies ${percent(worst)} of the highest rate off the curve: the target is limited in another way, such as by a fixed rate`,
    };
  }
  if (peak === null || curve.kappa.interval[0] <= 0 || peak.n.value > most) return { curve };
  const { value, interval } = peak.perSecond;
  if ((interval[1] - interval[0]) / 2 > WIDEST * value) return { curve };
  return { curve, peak: { connections: peak.n, perSecond: peak.perSecond } };
}

/**
 * Fits the Universal Scalability Law to what numbers of connections carried when all of them were busy. A number that held the highest
 * rate that was offered is left out, because nobody knows what it carries. Nothing is said beyond the largest number. Null without a
 * sweep.
 */
export function scalabilityOf(sweep: readonly ConnectionRate[]): Scalability | null {
  if (sweep.length === 0) return null;
  const points = sweep
    .filter(({ atLeast, carriedPerSecond }) => !atLeast && carriedPerSecond > 0)
    .map(({ connections, carriedPerSecond }) => ({ connections, perSecond: carriedPerSecond }));
  if (points.length < FEWEST_POINTS) {
    const busy = `${points.length} of ${sweep.length} numbers of connections were all busy`;
    return { points, noFit: `${busy}; ${FEWEST_POINTS} are needed` };
  }
  const curve = fitUsl(points.map(({ connections, perSecond }) => ({ n: connections, perSecond })));
  if (curve === null) return { points, noFit: 'the points do not determine the coefficients' };
  return { points, ...judged(curve, Math.max(...points.map(({ connections }) => connections))) };
}

/** The fit in a sentence. */
export function scalabilitySentence({ noFit, curve, peak, points }: Scalability): string {
  if (noFit !== undefined || curve === undefined) return `Universal Scalability Law: no fit, because ${noFit}.`;
  const share = (value: number) => value.toPrecision(2);
  const between = ({ interval }: { readonly interval: readonly [number, number] }) => interval.map(share).join(' to ');
  const found = `contention σ ${share(curve.sigma.value)} (${between(curve.sigma)}), coherency κ ${share(curve.kappa.value)} (${between(curve.kappa)}), R² ${curve.r2.toFixed(3)}`;
  const most = Math.max(...points.map(({ connections }) => connections));
  if (peak === undefined) {
    return `Universal Scalability Law: ${found}. No peak is shown within ${count(most)} connections, and nothing is said beyond them.`;
  }
  const [low, high] = peak.perSecond.interval;
  return `Universal Scalability Law: ${found}. The curve is highest at ${rate(peak.perSecond.value)}/s (${rate(low)} to ${rate(high)}), on about ${count(Math.round(peak.connections.value))} connections (${count(Math.round(peak.connections.interval[0]))} to ${count(Math.round(peak.connections.interval[1]))}); more connections carry less.`;
}
