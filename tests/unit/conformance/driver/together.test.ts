import { expect, it } from 'vitest';
import { MOMENT } from '../../../../conformance/driver/open-session.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { together } from '../../../../conformance/driver/together.ts';
import { create, read, update } from '../../../../conformance/plans/make.ts';
import type { Step } from '../../../../conformance/steps/step.ts';
import { answerOf, aSession } from '../../../helpers/a-session.ts';

/** Does the steps at one time on a target that refuses each update for a moment. */
function done(steps: readonly Step[], undecided: readonly string[] = []) {
  const send = async (op: string) => {
    const request = { op, family: 'sgt', method: 'PUT', path: '/ers/config/sgt/1' };
    const answer = { ...answerOf({}, op), request };
    return op === 'update' ? { ...answer, refusedAlone: { ...answer, status: 409 } } : answer;
  };
  const run = { dialect: () => 0, exclusive: (_: string, work: () => unknown) => work() };
  const session = aSession({ context: { send, run } });
  for (const each of undecided) session.lessons.undecided.add(each);
  const perform = async ({ context }: Session, { step }: Step) => void (await context.send(step as 'update'));
  return together(session, steps, perform);
}

it('a write that is refused for a moment beside reads is told, and taken for no fault beside other writes', async () => {
  await expect(done([update('a'), read('b')])).rejects.toThrow(/OP-sgt-U: .*beside reads.*answered 409/);
  await expect(done([update('a'), create('b')])).resolves.toBeUndefined();
  await expect(done([update('a'), read('b')], [MOMENT])).resolves.toBeUndefined();
});

it('of several looks, the last is on its way before the write, and the others wait for it', async () => {
  const order: string[] = [];
  const perform = async (_: Session, step: Step) => {
    if (step.step === 'update') await Promise.resolve();
    order.push(step.step === 'look' && 'who' in step.look ? step.look.who : step.step);
  };
  const session = aSession({ context: { send: async () => undefined } });
  await together(session, [update('a'), read('b'), read('c')], perform);
  expect(order).toEqual(['c', 'update', 'b']);
});
