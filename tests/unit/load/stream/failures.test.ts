import { describe, expect, it } from 'vitest';
import { answerCode } from '../../../../lib/wire/scenario.ts';
import { createFailures, failureKind } from '../../../../load/stream/failures.ts';

const kindOf = (status: number, options: { type?: string; retryAfter?: string; body?: string; error?: number } = {}) =>
  failureKind({
    status,
    errorCode: options.error ?? 0,
    code: answerCode(status, options.type ?? 'application/json', options.retryAfter ?? '', options.body ?? ''),
  });

describe('the kind of an answer', () => {
  it.each([
    ['204', null, kindOf(204)],
    ['200 with an empty body', null, kindOf(200)],
    ['200 with a page of HTML', 'unexpected-status', kindOf(200, { type: 'text/html;charset=utf-8' })],
    ['302 to a login page', 'unexpected-status', kindOf(302)],
    ['401', 'auth', kindOf(401)],
    ['403', 'auth', kindOf(403)],
    ['404', 'client-error', kindOf(404)],
    ['429', 'throttled', kindOf(429)],
    ['503 that says when to come back', 'throttled', kindOf(503, { retryAfter: '1' })],
    ['503', 'server-error', kindOf(503)],
    ['HTML, whatever it says', 'unexpected-status', kindOf(200, { type: 'text/HTML', body: 'already associated' })],
    ['429, whatever it says', 'throttled', kindOf(429, { body: 'not associated' })],
    ['a second apply', 'state', kindOf(500, { body: 'MAC is already associated with this policy' })],
    ['a clear of nothing', 'state', kindOf(400, { body: 'the endpoint is NOT ASSOCIATED with a policy' })],
    ['a timeout', 'timeout', kindOf(0, { error: 1050 })],
    ['a refused connection', 'transport', kindOf(0, { error: 1212 })],
  ])('%s is %s', (_, expected, found) => {
    expect(found).toBe(expected);
  });

  it('has one class for each kind, status and code, however many classes there are', () => {
    const failures = createFailures();
    const outcomes = Array.from({ length: 1000 }, (_, index) =>
      failures.outcome({ status: 400 + (index % 400), errorCode: 0, code: 'other' }),
    );
    expect(Math.max(...outcomes)).toBeLessThan(256);
    expect(failures.counted.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('counts a refusal whose words were not read any more with the others of its kind', () => {
    const failures = createFailures();
    const said = { status: 400, says: 'no session', body: 'JSON' } as const;
    failures.outcome({ status: 400, errorCode: 1400, code: 'other', said });
    failures.outcome({ status: 400, errorCode: 1400, code: undefined });
    expect(failures.counted).toMatchObject([{ status: 400, count: 2 }]);
  });
});
