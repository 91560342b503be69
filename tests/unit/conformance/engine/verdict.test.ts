import { describe, expect, it } from 'vitest';
import type { PlanEntry } from '../../../../conformance/engine/plan.ts';
import { type FailedResult, MOST_RETRIES, RETRIES_MS, retryFailed } from '../../../../conformance/engine/retry.ts';
import { type Judged, judge } from '../../../../conformance/engine/verdict.ts';
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
import type { ConformanceResult } from '../../../../lib/records/conformance.ts';
import { aCheck } from '../../../helpers/a-check.ts';
import { aResult } from '../../../helpers/a-run.ts';

const about = { kind: 'records', operation: 'list', subject: 'list' } as const;
const failure = new CheckFailure({ expected: 'a', observed: 'b', about, difference: { missing: ['x'], extra: [] } });

describe('the verdict of a check', () => {
  it.each([
    ['stated', 'fail'],
    ['implied', 'warn'],
    ['gap', 'info'],
    ['advice', 'info'],
  ] as const)('caps a failure of a %s requirement at %s', (level, verdict) => {
    const told = { expected: 'a', observed: 'b', difference: { missing: ['x'], extra: [] } };
    expect(judge({ thrown: failure }, level, {})).toMatchObject({ verdict, ...told });
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
    const thrown = new ToleratedDeviation({ expected: 'a', observed: 'b', about });
    const reason = expect.stringContaining('recorded');
    expect(judge({ thrown }, 'stated', { seen: 1 })).toMatchObject({ verdict: 'warn', reason });
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

const entry: PlanEntry = {
  ...{ key: 't/check|alpha', check: aCheck('t/check'), family: 'alpha', variant: undefined },
  ...{ requirement: 'SVC-1', level: 'stated' },
};

function failures(count: number, usesAnswerLog = false): FailedResult[] {
  return Array.from({ length: count }, (_, n) => ({
    entry,
    trace: { usesAnswerLog },
    result: aResult({ checkId: 't/check', variant: `${n}`, verdict: 'fail', observed: 'first', evidence: [`f${n}`] }),
  }));
}

interface Told {
  readonly judged?: Judged;
  readonly stopped?: () => string | undefined;
  /** Milliseconds that each second try takes. */
  readonly takesMs?: number;
}

async function triedAgain(failed: readonly FailedResult[], told: Told = {}): Promise<ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  let now = 0;
  await retryFailed(failed, {
    clock: { now: () => new Date(0), monotonicMs: () => now, sleep: async () => undefined },
    stopped: told.stopped ?? (() => undefined),
    run: async (_entry, trace) => {
      trace.evidence.push('again');
      now += told.takesMs ?? 1;
      return told.judged ?? { verdict: 'pass' };
    },
    onResult: (result) => results.push(result),
  });
  return results;
}

describe('the second try of a failure', () => {
  it('marks as flaky what passes then, and leaves it a failure with the evidence of both', async () => {
    const retry = { verdict: 'pass', evidence: ['again'] };
    const told = { verdict: 'fail', observed: 'first', evidence: ['f0'], flaky: true, retry };
    expect(await triedAgain(failures(1))).toMatchObject([told]);
  });

  it.each(['fail', 'blocked', 'inconclusive', 'error', 'warn'] as const)(
    'takes %s for no sign of chance',
    async (verdict) => {
      const [result] = await triedAgain(failures(1), { judged: { verdict, reason: 'so' } });
      expect(result).toMatchObject({ verdict: 'fail', retry: { verdict, reason: 'so' } });
      expect(result).not.toHaveProperty('flaky');
    },
  );

  it('is made of so many failures of a family at most, and says so of the others', async () => {
    const results = await triedAgain(failures(MOST_RETRIES + 2));
    expect(results.filter(({ retry }) => retry?.verdict === 'pass')).toHaveLength(MOST_RETRIES);
    expect(results.slice(-2).map(({ retry }) => retry?.skipped)).toEqual(
      Array(2).fill('20 failures of the family were tried again before'),
    );
    expect(results.every(({ verdict }) => verdict === 'fail')).toBe(true);
  });

  it('is not begun once the time for second tries is over, nor when the run stops', async () => {
    const slow = await triedAgain(failures(3), { takesMs: RETRIES_MS + 1 });
    expect(slow.map(({ retry }) => retry?.verdict)).toEqual(['pass', undefined, undefined]);
    expect(slow[1]?.retry?.skipped).toBe('failures of the family had been tried again for 30 s');
    const [stopped] = await triedAgain(failures(1), { stopped: () => 'the run was interrupted' });
    expect(stopped?.retry).toMatchObject({ skipped: 'the run was interrupted', evidence: [] });
  });

  it('is not made of a check that judges what the whole family answered', async () => {
    const [result] = await triedAgain(failures(1, true));
    expect(result?.retry?.skipped).toMatch(/everything that the family answered/);
    expect(result).not.toHaveProperty('flaky');
  });
});
