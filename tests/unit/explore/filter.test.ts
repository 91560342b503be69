import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../explore/model/filter.ts';
import type { Held } from '../../../explore/model/world.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Filter } from '../../../lib/wire/query.ts';

const keeps = (field: string, has: unknown, value: string) => {
  const held = { fields: { [field]: has } } as unknown as Held;
  const filter: Filter = { field, operator: 'EQ', value };
  return expectedOf(FAMILIES.sgt as never, held, [filter], 'and', 'cfm-');
};

describe('what a list is expected to hold', () => {
  it.each([
    ['the same text', 'description', 'ßſ İı plain', 'ßſ İı plain', true],
    ['another text', 'description', 'plain', 'other', false],
    ['the text in the other case', 'description', 'plain', 'PLAIN', undefined],
    [
      'letters that are two in capitals, or others in small ones',
      'description',
      'ßſ İı plain',
      'SSS İI PLAIN',
      undefined,
    ],
    ['a truth value', 'propogateToApic', true, 'true', true],
    ['a number', 'value', 17, '17', true],
  ])('%s', (_, field, has, value, expected) => {
    expect(keeps(field, has, value)).toBe(expected);
  });
});
