import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brokenPartitions,
  brokenParts,
  brokenTrichotomy,
  differenceOf,
  type Kept,
  union,
} from '../../../../../../conformance/checks/list/shared/relations.ts';
import { shrink, smallerQueries } from '../../../../../../conformance/checks/list/shared/shrink.ts';
import { explaining } from '../../../../../../conformance/checks/list/sort/collation.ts';
import { CASE_RULES, holds } from '../../../../../../conformance/kit/list/predicate.ts';
import { NEGATIONS, OPERATOR_NAMES, type Operator } from '../../../../../../lib/contract/list.ts';

const texts = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'B', 'b', '.', '%', 'ü') }),
  { minLength: 1, maxLength: 12 },
);
const wanted = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'B', 'b', '.') });

function keptBy(
  values: readonly (string | number)[],
  value: string,
  rule: (typeof CASE_RULES)[number],
): Record<Operator, Set<string>> {
  const entries = OPERATOR_NAMES.map((operator) => [
    operator,
    new Set(values.filter((each) => holds(operator, each, value, rule)).map(String)),
  ]);
  return Object.fromEntries(entries);
}

describe('relations between filters', () => {
  it('hold for the meaning of the operators, whatever the values and the case rule', () => {
    fc.assert(
      fc.property(texts, wanted, fc.constantFrom(...CASE_RULES), (values, value, rule) => {
        const kept = keptBy(values, value, rule);
        const having = new Set(values);
        expect([...brokenPartitions(kept, having), ...brokenParts(kept), ...brokenTrichotomy(kept, having)]).toEqual(
          [],
        );
      }),
    );
  });

  it('hold for numbers', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 2, max: 65_519 }), { minLength: 1 }),
        fc.integer({ min: 2, max: 1200 }),
        (values, value) => {
          const having = new Set(values.map(String));
          expect(brokenTrichotomy(keptBy(values, String(value), 'sensitive'), having)).toEqual([]);
        },
      ),
    );
  });

  it('break wherever an operator and its negation share a record or both leave one out', () => {
    fc.assert(
      fc.property(
        texts,
        wanted,
        fc.constantFrom(...Object.entries(NEGATIONS)),
        (values, value, [positive, negative]) => {
          const kept: Kept = { ...keptBy(values, value, 'sensitive'), [negative as Operator]: new Set(values) };
          const shares = (kept[positive as Operator]?.size ?? 0) > 0;
          expect(brokenPartitions(kept, new Set(values)).length > 0).toBe(shares);
        },
      ),
    );
  });

  it('break when one operator ignores case and its wider one does not', () => {
    const values = ['Beta', 'beta'];
    const kept: Kept = {
      EQ: keptBy(values, 'beta', 'insensitive').EQ,
      STARTSW: keptBy(values, 'beta', 'sensitive').STARTSW,
    };
    expect(brokenParts(kept)).toMatchObject([{ operators: ['EQ', 'STARTSW'], difference: { missing: ['Beta'] } }]);
  });

  it('give a difference exactly where two sets differ', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        const difference = differenceOf(new Set(one), new Set(other));
        const repaired = new Set(
          [...other, ...(difference?.missing ?? [])].filter((id) => !difference?.extra.includes(id)),
        );
        expect(repaired).toEqual(new Set(one));
        expect(union(new Set(one), new Set(other)).size).toBeGreaterThanOrEqual(new Set(one).size);
      }),
    );
  });
});

describe('collations', () => {
  it('explain every list sorted by one of them, in both directions', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), fc.boolean(), (values, folds, descending) => {
        const key = (text: string) => (folds ? text.toLowerCase() : text);
        const sorted = [...values].sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
        expect(explaining(descending ? sorted.reverse() : sorted, descending)).toBeDefined();
      }),
    );
  });

  it('do not explain numbers sorted as text', () => {
    expect(explaining([10, 100, 9], false)).toBeUndefined();
  });
});

describe('shrinking', () => {
  it('never gives a query that does not fail', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, fc.string({ minLength: 1, maxLength: 12 }), async (needle, hay) => {
        const fails = (value: string) => value.includes(needle);
        const start = { filters: [{ field: 'name', operator: 'EQ' as const, value: hay + needle }] };
        const smallest = await shrink(start, async ({ filters }) => fails(filters?.at(-1)?.value ?? ''));
        expect(fails(smallest.filters?.at(-1)?.value ?? '')).toBe(true);
        for (const smaller of smallerQueries(smallest))
          expect(JSON.stringify(smaller).length).toBeLessThan(JSON.stringify(smallest).length);
      }),
    );
  });
});
