import { describe, expect, it } from 'vitest';
import { cookiesAfter } from '../../../../lib/client/http/csrf.ts';
import { loginGate } from '../../../../lib/client/http/gates.ts';
import { retryAfterSeconds } from '../../../../lib/client/http/poor-answer.ts';

const NOW = Date.UTC(2026, 0, 31, 2, 0, 0);
const asked = (status: number, value?: string) =>
  retryAfterSeconds({ status, headers: value === undefined ? [] : [['retry-after', value]] }, NOW);

describe('Retry-After', () => {
  it.each([
    [429, '0', 0],
    [503, '7', 7],
    [429, 'Sat, 31 Jan 2026 02:00:05 GMT', 5],
    [503, 'Saturday, 31-Jan-26 02:00:05 GMT', 5],
    [503, 'Sat, 31 Jan 2026 01:59:00 GMT', 0],
    [409, '1', 1],
    [423, '5', 5],
  ])('of a %i with %s is %i s', (status, value, seconds) => expect(asked(status, value)).toBe(seconds));

  it('is a time of the clock of the target, if it tells that', () => {
    const headers = [
      ['date', 'Fri, 30 Jan 2026 02:00:00 GMT'],
      ['retry-after', 'Fri, 30 Jan 2026 02:00:05 GMT'],
    ] as const;
    expect(retryAfterSeconds({ status: 429, headers }, NOW)).toBe(5);
  });

  it.each([
    [200, '1'],
    [429, undefined],
    [429, 'soon'],
    [503, '31'],
    [409, '6'],
    [500, '1'],
    [400, '1'],
    [404, '1'],
    [409, undefined],
    [503, 'Sat, 31 Jan 2026 03:00:00 GMT'],
  ])('of a %i with %s asks for no wait', (status, value) => expect(asked(status, value)).toBeUndefined());
});

const set = (...values: string[]) => values.map((value) => ['set-cookie', value] as const);

it.each([
  ['', set(), ''],
  ['', set('A=1; Path=/ers; HttpOnly', 'B=x==; Secure'), 'A=1; B=x=='],
  ['A=1; B=2', set(), 'A=1; B=2'],
  ['A=1; B=2', set('A=3'), 'B=2; A=3'],
  ['A=1; B=2', set('A=1; Max-Age=0'), 'B=2'],
  ['A=1', set('A=; Path=/'), ''],
  ['A=1', set('A=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT'), ''],
  ['', set('A=1; Max-Age=05'), 'A=1'],
  ['', set('no pair', '=x', 'A=\u0001'), ''],
  ['A=1', set(`B=${'x'.repeat(5000)}`), ''],
  ['A=1', [['content-type', 'B=1']] as const, 'A=1'],
])('the cookies after an answer of %o and %o are %o', (carried, headers, after) => {
  expect(cookiesAfter(carried, headers)).toBe(after);
});

const words = () => '401 "expired on 2026-11-26"';
const idle = () => Promise.resolve();

it('a login that one request was refused with is shown again, although another under way was taken since', async () => {
  const gate = loginGate(async () => gate.answered(200, words));
  gate.answered(200, words);
  gate.answered(401, words);
  expect(await gate.holds(async () => gate.answered(200, words, true))).toBe(true);
});

it('a login that is refused again and again is not sent for ever, although it holds each time', () => {
  const gate = loginGate(idle);
  gate.answered(200, words);
  for (let times = 0; times < 22; times += 1) {
    gate.answered(401, words);
    gate.answered(200, words, true);
  }
  expect(() => gate.check()).toThrow('although it had taken it before');
});

it.each([
  [429, 'x-ratelimit-reset', String(NOW / 1000 + 5), 5],
  [429, 'x-ratelimit-reset', '5', 5],
  [429, 'ratelimit-reset', '30', 30],
  [429, 'ratelimit-reset', '0', undefined],
  [429, 'x-ratelimit-reset', String(NOW / 1000 - 5), undefined],
  [429, 'x-ratelimit-reset', '3600', undefined],
  [429, 'x-ratelimit-reset', 'soon', undefined],
  [503, 'x-ratelimit-reset', '5', undefined],
])('an answer %i with %s: %s asks to wait %s seconds', (status, name, value, seconds) => {
  expect(retryAfterSeconds({ status, headers: [[name, value]] }, NOW)).toBe(seconds);
});
