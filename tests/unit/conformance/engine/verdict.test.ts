import { describe, expect, it } from 'vitest';
import { judge } from '../../../../conformance/engine/verdict.ts';
import {
  Blocked,
  CheckFailure,
  Inconclusive,
  LostRecord,
  NotTestable,
  ToleratedDeviation,
} from '../../../../conformance/kit/fault.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { TargetError, UsageError } from '../../../../lib/errors.ts';

const about = { kind: 'records', operation: 'list', subject: 'list' } as const;
const failure = new CheckFailure({ expected: 'a', observed: 'b', about, difference: { missing: ['x'], extra: [] } });

describe('the verdict of a check', () => {
  it.each([
    ['stated', 'fail'],
    ['implied', 'warn'],
    ['gap', 'info'],
    ['advice', 'info'],
  ] as const)('caps a failure of a %s requirement at %s', (level, verdict) => {
    expect(judge({ thrown: failure }, level, {})).toMatchObject({
      verdict,
      expected: 'a',
      observed: 'b',
      difference: { missing: ['x'], extra: [] },
    });
  });

  it.each([
    ['stated', 'RES-ID', 'stated', 'fail'],
    ['stated', 'NEG-404', 'implied', 'warn'],
    ['implied', 'RES-ID', 'implied', 'warn'],
  ] as const)('of what is %s, that finds %s broken, is of what is %s', (checked, requirement, level, verdict) => {
    const found = new CheckFailure({ expected: 'a', observed: 'b', about, requirement });
    expect(judge({ thrown: found }, checked, {})).toMatchObject({ level, verdict });
  });

  it('warns where real deployments are recorded to deviate, and says so', () => {
    const judged = judge({ thrown: new ToleratedDeviation({ expected: 'a', observed: 'b', about }) }, 'stated', {
      seen: 1,
    });
    expect(judged.verdict).toBe('warn');
    expect(judged.reason).toContain('recorded');
  });

  it('gives no pass without a witness', () => {
    expect(judge({ returned: undefined }, 'stated', {})).toMatchObject({ verdict: 'inconclusive' });
    expect(judge({ returned: { verdict: 'pass' } }, 'stated', {})).toMatchObject({ verdict: 'inconclusive' });
    expect(judge({ returned: undefined }, 'stated', { seen: 1 })).toMatchObject({ verdict: 'pass' });
  });

  it('never judges a gap or advice, whatever was seen', () => {
    expect(judge({ returned: undefined }, 'gap', { seen: 1 }).verdict).toBe('info');
    expect(judge({ returned: undefined }, 'advice', {}).verdict).toBe('info');
  });

  it.each([
    [new Blocked('no record'), 'blocked'],
    [new LostRecord('gone', {} as Exchange), 'blocked'],
    [new UsageError('refused-by-mode', 'not allowed'), 'blocked'],
    [new Inconclusive('too little'), 'inconclusive'],
    [new NotTestable('one record'), 'not-testable'],
    [new TargetError('reset', 'broken'), 'error'],
    [new TypeError('x is not a function'), 'error'],
    ['a text', 'error'],
  ])('tells how a check ended from what it threw: %s', (thrown, verdict) => {
    expect(judge({ thrown }, 'stated', { seen: 1 }).verdict).toBe(verdict);
  });

  it('keeps what would make a check testable, whether it threw or returned', () => {
    const told = { verdict: 'not-testable', reason: 'one record', needs: 'a second record' } as const;
    expect(judge({ thrown: new NotTestable('one record', 'a second record') }, 'stated', {})).toEqual(told);
    expect(judge({ returned: told }, 'stated', { seen: 1 })).toEqual(told);
  });
});
