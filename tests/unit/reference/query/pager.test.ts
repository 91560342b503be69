import { describe, expect, it } from 'vitest';
import { DIALECT, type Dialect } from '../../../../reference/dialect.ts';
import { createPager } from '../../../../reference/query/pager.ts';
import type { ListPlan } from '../../../../reference/query/plan.ts';
import type { Seams } from '../../../../reference/seams.ts';

const pager = (dialect: Partial<Dialect> = {}) => createPager({ dialect: { ...DIALECT, ...dialect } } as Seams);
const plan = (page: number, size: number): ListPlan => ({
  family: 'any',
  criteria: [],
  join: 'and',
  page,
  size,
  pairs: [
    ['filter', 'name.EQ.a b'],
    ['extra', '1'],
  ],
});

describe('the pager', () => {
  it.each([
    [1, 10, 25, { from: 0, to: 10, hasNext: true, hasPrevious: false }],
    [2, 10, 25, { from: 10, to: 20, hasNext: true, hasPrevious: true }],
    [3, 10, 25, { from: 20, to: 25, hasNext: false, hasPrevious: true }],
    [2, 10, 20, { from: 10, to: 20, hasNext: false, hasPrevious: true }],
    [1, 10, 0, { from: 0, to: 0, hasNext: false, hasPrevious: false }],
  ])('page %i of size %i of %i records', (page, size, total, range) => {
    expect(pager().range(plan(page, size), total)).toEqual(range);
  });

  it('refuses a page past the end and names it, but never the first page', () => {
    expect(() => pager().range(plan(3, 10), 20)).toThrow(/page 3 does not exist/);
    expect(pager({ pastEnd: 'empty' }).range(plan(3, 10), 20).hasNext).toBe(false);
  });

  it('counts pages from the first one of the dialect', () => {
    expect(pager({ firstPage: 0 }).range(plan(0, 10), 15)).toMatchObject({
      from: 0,
      to: 10,
      hasNext: true,
      hasPrevious: false,
    });
  });

  it('puts the parameters of the request into links, size and page last', () => {
    const pairs = pager().linkPairs(plan(1, 10), 2);
    expect(pairs.map(([name]) => name)).toEqual(['filter', 'extra', 'size', 'page']);
    const call = { request: { origin: 'http://host:1' } } as Parameters<ReturnType<typeof pager>['href']>[0];
    expect(pager().href(call, '/x', pairs)).toBe('http://host:1/x?filter=name.EQ.a%20b&extra=1&size=10&page=2');
  });
});
