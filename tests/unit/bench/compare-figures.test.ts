import { describe, expect, it } from 'vitest';
import { comparedLines, compareFigures } from '../../bench/compare-figures.ts';
import { type FigureKind, figureOf } from '../../bench/figure.ts';

const figure = (values: readonly number[], kind: Partial<FigureKind> = {}) =>
  figureOf('a figure', values, { unit: 'ratio', better: 'lower', ...kind });
const judged = (...given: Parameters<typeof compareFigures>) =>
  compareFigures(...given).map(({ verdict, withinLimit }) => [verdict, withinLimit]);

describe('a figure of the benchmark', () => {
  it('that is a ratio is worse where its spread lies apart and its median is more than 15 % worse', () => {
    const before = [figure([1, 1.01, 1.02])];
    expect(judged([figure([1.2, 1.21, 1.22])], before)).toEqual([['worse', true]]);
    expect(judged([figure([1.1, 1.12, 1.14])], before)).toEqual([['as-before', true]]);
    expect(judged([figure([1.01, 1.4, 1.5])], before)).toEqual([['as-before', true]]);
    expect(judged([figure([0.5, 0.5, 0.5])], before)).toEqual([['better', true]]);
    expect(judged([figure([0.5])], [])).toEqual([['new', true]]);
  });

  it('that is a ratio is held to what is promised, from either side', () => {
    expect(judged([figure([1.2], { limit: 1.1 })], [])).toEqual([['new', false]]);
    expect(judged([figure([0.8], { limit: 0.9, better: 'higher' })], [])).toEqual([['new', false]]);
    expect(judged([figure([1.1], { limit: 1.1 })], [])).toEqual([['new', true]]);
  });

  it('that is absolute is printed with its change, and never judged', () => {
    const [before, now] = [figure([1], { unit: 's' }), figure([9], { unit: 's', limit: 2 })];
    expect(judged([now], [before])).toEqual([['absolute', true]]);
    expect(comparedLines(compareFigures([now], [before]))[0]).toMatch(/absolute \(x 9\.00\)$/);
  });
});
