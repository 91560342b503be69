import { expect, it } from 'vitest';
import { loginGate } from '../../../../lib/client/http/login-gate.ts';

it.each([
  [[401], 'the target refused the login; nothing more was sent'],
  [[200, 401, 401], 'the target refused the login with 401, although it had taken it before; nothing more was sent'],
])('after answers of %j, nothing more is sent, for a reason that fits', (statuses, message) => {
  const gate = loginGate();
  for (const status of statuses) gate.answered(status);
  expect(() => gate.check()).toThrow(message);
});
