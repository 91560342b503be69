import { describe, expect, it } from 'vitest';
import { cookiesAfter } from '../../../../lib/client/http/csrf.ts';

const set = (...values: string[]) => values.map((value) => ['set-cookie', value] as const);

describe('the cookies after an answer', () => {
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
  ])('of %o and %o are %o', (carried, headers, after) => {
    expect(cookiesAfter(carried, headers)).toBe(after);
  });
});
