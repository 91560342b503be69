import { describe, expect, it } from 'vitest';
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
