import { expect, it } from 'vitest';
import { loginGate } from '../../../../lib/client/http/login-gate.ts';

it('a first answer of 401 ends the run: nothing more is sent', () => {
  const gate = loginGate();
  gate.answered(401);
  expect(() => gate.check()).toThrow('the target refused the login; nothing more was sent');
});

it.each([
  ['holds', 200, true],
  ['does not hold', 401, false],
])('one request shows whether a login that was taken before %s', async (_what, status, holds) => {
  const gate = loginGate();
  gate.answered(200);
  // Several under way at one time are refused: one proof is sent for all.
  for (const refused of [401, 401]) gate.answered(refused);
  let proofs = 0;
  const proof = async () => {
    proofs += 1;
    gate.answered(status, true);
  };
  expect(await Promise.all([gate.holds(proof), gate.holds(proof)])).toEqual([holds, holds]);
  expect(proofs).toBe(1);
  const message = 'the target refused the login with 401, although it had taken it before; nothing more was sent';
  const check = expect(() => gate.check());
  if (holds) check.not.toThrow();
  else check.toThrow(message);
});

it('a login that is refused again and again is not sent for ever, although it holds each time', () => {
  const gate = loginGate();
  gate.answered(200);
  for (let times = 0; times < 22; times += 1) {
    gate.answered(401);
    gate.answered(200, true);
  }
  expect(() => gate.check()).toThrow('although it had taken it before');
});
