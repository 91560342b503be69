import { describe, expect, it } from 'vitest';
import { withFirst } from '../../../../conformance/plans/controls.ts';
import { look, read } from '../../../../conformance/plans/make.ts';
import { PLAIN, type Step } from '../../../../conformance/steps/step.ts';

const ENDPOINTS = look({ window: 'endpoints' });
const apply = (...who: readonly number[]): Step => ({
  ...{ step: 'apply', who, policy: 0, by: 'ip', spelled: 'plain', carried: PLAIN },
});
const clear = (...who: readonly number[]): Step => ({ step: 'clear', who, spelled: 'plain', carried: PLAIN });

describe('a sequence that is tried on an endpoint which no request has named', () => {
  it('has that of its last apply for the first one', () => {
    expect(withFirst([apply(0), clear(0, 4), apply(4, 1), ENDPOINTS])).toEqual([
      ...[apply(4), clear(4, 0), apply(0, 1), ENDPOINTS],
    ]);
  });

  it('stays as it is if it names that already, or if a look names an endpoint', () => {
    for (const steps of [
      [apply(0), ENDPOINTS],
      [apply(4), read('subject'), ENDPOINTS],
    ])
      expect(withFirst(steps)).toEqual(steps);
  });
});
