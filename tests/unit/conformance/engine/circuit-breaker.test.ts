import { describe, expect, it } from 'vitest';
import { circuitBreaker } from '../../../../conformance/engine/circuit-breaker.ts';
import { INTERRUPTED, OUT_OF_TIME } from '../../../../lib/records/conformance.ts';
import { timeLimit } from '../../../../lib/time-limit.ts';

/** Why no further check starts once the signal of the run has ended it. */
const reasonOf = (signal: AbortSignal) => circuitBreaker(signal).reason();

describe('what keeps further checks from starting', () => {
  it('is the deadline of the run, as soon as it passes', async () => {
    const limit = timeLimit(1, new AbortController().signal);
    expect(reasonOf(limit)).toBeUndefined();
    await new Promise((passed) => limit.addEventListener('abort', passed));
    expect(reasonOf(limit)).toBe(OUT_OF_TIME);
  });

  it('is told apart from a signal', () => {
    expect(reasonOf(AbortSignal.abort(new Error('ended by SIGINT')))).toBe(INTERRUPTED);
  });
});
