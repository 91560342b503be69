import { expect, it } from 'vitest';
import type { CheckContext, Fixture } from '../../../../conformance/kit/check.ts';
import { freeText } from '../../../../conformance/kit/record/record-reads.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Field } from '../../../../lib/contract/types.ts';

it('a free text that is the name of the record is given to no two records', () => {
  const { name, description } = FAMILIES.sgt.fields;
  const texts = (fields: Readonly<Record<string, Field>>) => {
    const family = { ...FAMILIES.sgt, fields };
    const run = { prefix: 'cfm1', values: { adapt: (_: string, text: string) => text } };
    const context = { family, table: { sgt: family }, run } as unknown as CheckContext;
    const own = ['cfm1a', 'cfm1b'].map((name): Fixture => ({ family: 'sgt', id: name, sent: { name } }) as Fixture);
    return own.map((each) => freeText(context, 'tried cfm1', each));
  };
  expect(texts({ name })).toEqual([{ name: 'tried cfm1a' }, { name: 'tried cfm1b' }]);
  expect(texts({ name, description })).toEqual([{ description: 'tried cfm1' }, { description: 'tried cfm1' }]);
});
