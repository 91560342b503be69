import { expect, it } from 'vitest';
import { loginGate } from '../../../../lib/client/http/gates.ts';

const words = () => '401 "expired on 2026-11-26"';
const idle = () => Promise.resolve();

it.each([
  ['holds', 200, true],
  ['does not hold', 401, false],
])('one request shows whether a login that was taken before %s', async (_what, status, holds) => {
  const gate = loginGate(idle);
  gate.answered(200, words);
  gate.answered(401, words);
  expect(gate.isOpen()).toBe(false);
  let proofs = 0;
  const proof = async () => {
    proofs += 1;
    gate.answered(status, words, true);
  };
  expect(await Promise.all([gate.holds(proof), gate.holds(proof)])).toEqual([holds, holds]);
  expect(proofs).toBe(1);
  const message = 'refused the login with 401 "expired on 2026-11-26", although it had taken it before';
  const check = expect(() => gate.check());
  if (holds) check.not.toThrow();
  else check.toThrow(message);
});

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
