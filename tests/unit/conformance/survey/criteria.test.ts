import { describe, expect, it } from 'vitest';
import { chooseCriteria, keptTogether } from '../../../../conformance/checks/survey/looks/criteria.ts';
import { denseTexts, plainText } from '../../../../conformance/checks/survey/world/texts.ts';
import type { World } from '../../../../conformance/checks/survey/world/world.ts';
import { holds } from '../../../../conformance/kit/list/predicate.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const texts = [...Array.from({ length: 10 }, (_, index) => plainText(index)), ...denseTexts('')];
const record = (text: string, index: number, fields: readonly string[]) => ({
  id: String(index),
  record: {},
  sent: {},
  home: 'sgt',
  values: Object.fromEntries(fields.map((field, at) => [field, texts[(index + 3 * at) % texts.length] ?? text])),
});
const worldOf = (own: readonly string[], others: readonly string[]) =>
  ({
    family: FAMILIES.sxpvpns,
    records: texts.map((text, index) => record(text, index, own)),
    found: texts.slice(0, 6).map((text, index) => record(text, index + 100, others)),
  }) as unknown as World;

describe('the criteria of a survey', () => {
  it.each(['and', 'or'] as const)('joined by %s keep the same records whether case counts or not', (join) => {
    const criteria = chooseCriteria(worldOf(['name', 'description'], []), join);
    if (criteria === undefined) throw new Error('none were chosen');
    const { filters, having } = criteria;
    const kept = having.filter(({ values }) => {
      const fits = filters.map(({ field, operator, value }) =>
        holds(operator, String(values[field]), value, 'insensitive'),
      );
      return join === 'and' ? fits.every(Boolean) : fits.some(Boolean);
    });
    expect(new Set(kept.map(({ id }) => id))).toEqual(keptTogether(criteria));
    expect(kept.length).toBeGreaterThan(0);
  });

  it('are over the records of others where only those hold several fields', () => {
    const criteria = chooseCriteria(worldOf(['name'], ['name', 'description']), 'or');
    expect(new Set(criteria?.filters.map(({ field }) => field)).size).toBe(2);
    expect(criteria?.having.every(({ id }) => Number(id) >= 100)).toBe(true);
  });
});
