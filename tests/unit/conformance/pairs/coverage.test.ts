import { describe, expect, it } from 'vitest';
import { refusalText } from '../../../../conformance/kit/answer.ts';
import { countPairs } from '../../../../conformance/plans/pairs/coverage.ts';
import type { Exchange } from '../../../../lib/client/types.ts';

const model = {
  factors: [
    { name: 'write', levels: ['create', 'update', 'rename'] },
    { name: 'sort', levels: ['none', 'name'] },
  ],
  fixed: {},
  constraints: [],
};

const refused = (title: string, op = 'update', status = 400): Exchange =>
  ({ request: { op }, status, body: '', json: { ERSResponse: { messages: [{ title }] } } }) as unknown as Exchange;

describe('pairs of conditions of a family', () => {
  it('count once they came about, whatever was refused before', () => {
    const count = countPairs(model);
    count.add({ write: 'update', sort: 'name' }, new Map([['write', 'no update']]));
    expect(count.coverage()).toMatchObject({ factors: 2, levels: 5, possible: 6, exercised: 0 });
    count.add({ write: 'update', sort: 'name' }, new Map());
    expect(count.coverage()).toMatchObject({ exercised: 1, missing: { 'not tried': 5 } });
  });

  it('say what keeps the others away, by reason', () => {
    const count = countPairs(model);
    for (const sort of ['none', 'name']) count.add({ write: 'rename', sort }, new Map([['write', 'no rename']]));
    count.add({ write: 'update', sort: 'name' }, new Map([['sort', 'x'.repeat(500)]]));
    expect(count.coverage().missing).toEqual({
      'not tried': 3,
      'no rename': 2,
      [`${'x'.repeat(119)}…`]: 1,
    });
  });

  it('tell a bounded number of reasons apart', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `level ${at}`);
    const count = countPairs({ ...model, factors: [{ name: 'write', levels }, ...model.factors.slice(1)] });
    for (const [at, write] of levels.entries())
      count.add({ write, sort: 'none' }, new Map([['write', `reason number ${at}`]]));
    const { missing, possible } = count.coverage();
    expect(Object.keys(missing)).toHaveLength(13);
    expect(Object.values(missing).reduce((sum, number) => sum + number, 0)).toBe(possible);
  });
});

describe('a refusal', () => {
  it.each([
    [refused("name 'CFM0A4H2U7RZAACABD'B' already exists"), 'update answered 400: name … already exists'],
    [refused("name 'CFM0A4H2U7RZ\n and B' already exists"), 'update answered 400: name … already exists'],
    [refused('Resource 7491e769-39b0 of 3 users is locked'), 'update answered 400: Resource … of … users is locked'],
    [refused('a b c d e f g h i j', 'create', 500), 'create answered 500: a b c d e f g h'],
    [refused('', 'create', 500), 'create answered 500'],
  ])('reads alike for all records: %#', (exchange, text) => {
    expect(refusalText(exchange)).toBe(text);
  });
});
