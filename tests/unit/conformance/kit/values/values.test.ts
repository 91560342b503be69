import { describe, expect, it } from 'vitest';
import { memberKey, openLearned } from '../../../../../conformance/kit/values/learned.ts';
import { valuesOf } from '../../../../../conformance/kit/values/values.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import { PLAIN_OBJECTS } from '../../../../../lib/contract/samples.ts';

const valuesIn = (family: string, learned = openLearned()) =>
  valuesOf(learned, FAMILIES, family, { next: () => undefined, leaveOut: () => undefined });

describe('a body of a run', () => {
  it('sets nothing that may keep its record from being removed', () => {
    expect(valuesIn('sgt').adaptAll({ isReadOnly: true, propogateToApic: true })).toEqual({
      isReadOnly: false,
      propogateToApic: true,
    });
  });

  it('holds a value that the target was seen to keep as it is, and another one as one of these', () => {
    const known = PLAIN_OBJECTS['customizations'] ?? [];
    const learned = openLearned();
    learned.samples.set(memberKey('byodportal', 'customizations'), known);
    const values = valuesIn('byodportal', learned);
    const sent = (customizations: unknown) => values.adaptAll({ customizations })['customizations'];
    expect(known.map(sent)).toEqual(known);
    expect(known).toContainEqual(sent({ other: true }));
  });
});
