import { expect, it } from 'vitest';
import { loginGate } from '../../../../lib/client/http/gates.ts';

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
