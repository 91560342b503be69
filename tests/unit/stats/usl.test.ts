import { describe, expect, it } from 'vitest';
import { fitUsl } from '../../../lib/stats/usl.ts';

const points = (ns: readonly number[], rates: readonly number[]) =>
  ns.map((n, at) => ({ n, perSecond: rates[at] ?? Number.NaN }));

/** Within a share of what was published. */
const near = (value: number | undefined, published: number, share = 0.01) =>
  expect(Math.abs((value ?? Number.NaN) - published)).toBeLessThanOrEqual(share * Math.abs(published));

describe('the Universal Scalability Law', () => {
  it('finds the published coefficients of the SPEC SDM 91 benchmark', () => {
    // Data set specsdm91 of the R package usl; coefficients and standard errors from its manual, peak from them.
    const found = fitUsl(points([1, 18, 36, 72, 108, 144, 216], [64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2]));
    near(found?.sigma.value, 0.0277285);
    near(found?.kappa.value, 0.0001044);
    near(found?.lambda.value, 89.995233);
    near(found?.peak?.n.value, Math.sqrt((1 - 0.0277285) / 0.0001044));
    // Student's factor of four degrees of freedom.
    near((found?.sigma.interval[1] ?? 0) - (found?.sigma.value ?? 0), 2.776 * 0.0091217);
    near((found?.kappa.interval[1] ?? 0) - (found?.kappa.value ?? 0), 2.776 * 0.0000199);
  });

  it('finds the published coefficients of the ray tracer, whose coherency is at its bound', () => {
    // Data set raytracer of the R package usl (Gunther, Guerrilla Capacity Planning).
    const found = fitUsl(
      points([1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64], [20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310]),
    );
    near(found?.sigma.value, 0.057771);
    expect(found?.kappa.value).toBe(0);
    near(found?.lambda.value, 21.848843);
    expect(found?.peak).toBeNull();
  });

  it('finds the published coefficients and peak of the Cisco benchmark', () => {
    // Schwartz, Practical Scalability Analysis with the Universal Scalability Law.
    const rates = [
      ...[955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08, 7219.8, 7867.61, 8278.71, 8646.7],
      ...[9047.84, 9426.55, 9645.37, 9897.24, 10097.6, 10240.5, 10532.39, 10798.52, 11151.43, 11518.63, 11806],
      ...[12089.37, 12075.41, 12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.4, 12074.39],
    ];
    const found = fitUsl(
      points(
        rates.map((_, at) => at + 1),
        rates,
      ),
    );
    near(found?.sigma.value, 0.02671591);
    near(found?.kappa.value, 7.690945e-4);
    near(found?.lambda.value, 995.6486);
    near(found?.peak?.perSecond.value, 12341);
  });

  it('says nothing of fewer than four numbers, and of a rate of zero', () => {
    expect(fitUsl(points([1, 2, 3], [10, 19, 27]))).toBeNull();
    expect(fitUsl(points([1, 2, 3, 4, 5], [10, 19, 0, 30, 35]))).toBeNull();
  });
});
