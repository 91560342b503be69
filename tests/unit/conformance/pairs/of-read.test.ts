import { describe, expect, it } from 'vitest';
import type { Difference } from '../../../../conformance/model/difference.ts';
import { read } from '../../../../conformance/plans/make.ts';
import { ofRead } from '../../../../conformance/plans/pairs/finding.ts';
import { PLAIN, type Step } from '../../../../conformance/steps/step.ts';

const told = { family: 'ancendpoint', expected: 'policyName "A"', observed: '"B"' };
const member: Difference = {
  ...{ ...told, requirement: 'SPC-ANC' },
  about: { kind: 'value', operation: 'apply', subject: 'member policyName' },
};
const neighbor: Difference = {
  ...{ ...told, requirement: 'SPC-ANC', unlessWritten: member },
  about: { kind: 'no-effect', operation: 'apply', subject: 'other records' },
};
const ofUpdate: Difference = { ...member, about: { ...member.about, operation: 'update' } };
const BY_FORM: readonly Step[] = [read('a'), read('a', 'json', { ...PLAIN, csrf: true })];

describe('a wrong value that a read shows by its form alone', () => {
  it.each<[string, Difference, readonly Step[]]>([
    ['of an apply', member, BY_FORM],
    ['that was sent for another endpoint', neighbor, [read('a', 'xml')]],
  ])('is the fault of the read: %s', (_, difference, steps) => {
    expect(ofRead(difference, steps)).toMatchObject({
      requirement: 'OP-ancendpoint-R',
      about: { kind: 'value', operation: 'read', subject: 'member policyName' },
    });
  });

  it.each<[string, Difference, readonly Step[]]>([
    ['a plain read shows it too', neighbor, [read('a')]],
    ['a list shows it', member, []],
    ['a write of the record may have left it', ofUpdate, BY_FORM],
  ])('stays as it is if %s', (_, difference, steps) => {
    expect(ofRead(difference, steps)).toBe(difference);
  });
});
