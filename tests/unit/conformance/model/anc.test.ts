import { describe, expect, it } from 'vitest';
import { judgePolicies } from '../../../../conformance/model/anc.ts';

type Endpoints = readonly (readonly [macAddress: string, policy: string])[];

const judged = (given: readonly (readonly [string, string | undefined])[], shown: Endpoints | undefined) =>
  judgePolicies(new Map(given), {
    question: { window: 'policies', family: 'ancendpoint' },
    shown: { endpoints: shown?.map(([macAddress, policy]) => ({ macAddress, policy })) },
  });

const ONE = '02:00:00:00:00:0A';
const TWO = '02:00:00:00:00:0B';

describe('the policies of endpoints', () => {
  it.each([
    ['the policy that was given', [[ONE, 'shut']], [[ONE, 'shut']]],
    ['an address in small letters', [[ONE, 'shut']], [[ONE.toLowerCase(), 'shut']]],
    ['none, once it was taken off', [[ONE, undefined]], []],
    ['a list that was not read to its end', [[ONE, 'shut']], undefined],
  ] as const)('may be: %s', (_, given, shown) => {
    expect(judged(given, shown)).toBeUndefined();
  });

  it.each([
    ['none, if one was given', [[ONE, 'shut']], [], 'SPC-ANC', 'apply', 'policy'],
    ['another one', [[ONE, 'shut']], [[ONE, 'open']], 'SPC-ANC', 'apply', 'policy'],
    [
      'two at once',
      [[ONE, 'shut']],
      [
        [ONE, 'shut'],
        [ONE, 'open'],
      ],
      'SPC-ANC',
      'apply',
      'policy',
    ],
    ['one that was taken off', [[ONE, undefined]], [[ONE, 'shut']], 'SPC-ANC', 'clear', 'policy'],
    [
      'one of an endpoint that was given none',
      [[ONE, 'shut']],
      [
        [ONE, 'shut'],
        [TWO, 'shut'],
      ],
      'SPC-ANC',
      'apply',
      'other records',
    ],
    ['an address with dashes', [[ONE, 'shut']], [[ONE.replaceAll(':', '-'), 'shut']], 'RES-MAC', 'read', 'address'],
  ] as const)('may not be: %s', (_, given, shown, requirement, operation, subject) => {
    expect(judged(given, shown)).toMatchObject({ requirement, about: { operation, subject } });
  });
});
