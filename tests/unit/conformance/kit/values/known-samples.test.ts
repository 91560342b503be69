import { expect, it } from 'vitest';
import { memberKey, openLearned } from '../../../../../conformance/kit/values/learned.ts';
import { valuesOf } from '../../../../../conformance/kit/values/values.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import { PLAIN_OBJECTS } from '../../../../../lib/contract/samples.ts';

it('sends a value that the target was seen to keep as it is, and another one as one of these', () => {
  const known = PLAIN_OBJECTS['customizations'] ?? [];
  const learned = openLearned();
  learned.samples.set(memberKey('byodportal', 'customizations'), known);
  const values = valuesOf(learned, FAMILIES, 'byodportal', { next: () => undefined, leaveOut: () => undefined });
  const sent = (customizations: unknown) => values.adaptAll({ customizations })['customizations'];
  expect(known.map(sent)).toEqual(known);
  expect(known).toContainEqual(sent({ other: true }));
});
