import type { Exchange } from '../../lib/client/types.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import { showsAtOnce } from '../kit/delay.ts';
import type { Difference } from '../model/difference.ts';
import type { Step, Steps } from '../steps/step.ts';
import { MOMENT } from './open-session.ts';
import { DifferenceFound, NotDone, raise, type Session } from './session.ts';

/** What a read shows says more than what a list lacks; what could not be done hides nothing that another step shows. */
function weight(fault: unknown): number {
  if (fault instanceof NotDone) return 2;
  return fault instanceof DifferenceFound && fault.difference.about.operation === 'list' ? 1 : 0;
}

/** Waits for all of the work; throws the weightiest fault, of equal ones the first in order, so that the same faults end it alike. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const faults = (await Promise.allSettled(work)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const [worst] = [...faults].sort((one, other) => weight(one) - weight(other));
  if (worst !== undefined) throw worst;
}

function moment() {
  let tell: () => void = () => undefined;
  const come = new Promise<void>((resolve) => (tell = resolve));
  return { come, tell: () => tell() };
}

/** A write beside others, which tells when it goes out. What it sends behind a refusal is sent alone, once the others are `through`: it is to show whether the same is taken without them. */
function beside(
  session: Session,
  onSend: () => void,
  onRefused: (exchange: Exchange) => void,
  through: () => Promise<unknown>,
): Session {
  const { context } = session;
  let isRefused = false;
  const send: typeof context.send = async (op, input, family) => {
    if (isRefused)
      return context.run.exclusive(`behind refusals of ${context.family.name}`, async () => {
        await through();
        return context.send(op, input, family);
      });
    const exchange = await context.send(op, { ...input, onSend }, family);
    isRefused = OPS[op].mutates && !isSuccess(exchange);
    if (isRefused || exchange.refusedAlone !== undefined) onRefused(exchange);
    return exchange;
  };
  return { ...session, context: { ...context, send }, isWriter: true };
}

/** A write that is refused while something is read, beside no other write, and taken when it is sent again. */
function mustBeTaken(session: Session, step: Step, refused: Exchange | undefined): void {
  if (refused === undefined) return;
  const { op, family } = refused.request;
  if (op === 'bulkSubmit' || session.lessons.undecided.has(MOMENT) || !showsAtOnce(session)) return;
  const difference: Difference = {
    requirement: opRequirementId(family, op),
    about: { kind: 'refused', operation: op, subject: 'request' },
    family,
    expected: `the ${step.step} to be taken beside reads, as it is when it is sent again`,
    observed: answerText(refused),
    onlyIf: 'the requests are sent at the same time',
  };
  raise(session, difference, { exchanges: [refused] });
}

/** Does the steps at one time. Looks begin when the first write beside them goes out, so that they meet on the target; of several, the last is on its way before. */
export function together(
  session: Session,
  steps: Steps,
  perform: (session: Session, step: Step) => Promise<void>,
): Promise<void> {
  const sent: Promise<void>[] = [];
  const answered: Promise<void>[] = [];
  const write = (step: Step) => {
    const [going, done] = [moment(), moment()];
    sent.push(going.come);
    answered.push(done.come);
    session.count.writing += 1;
    let refused: Exchange | undefined;
    const onRefused = (exchange: Exchange) => {
      refused ??= exchange.refusedAlone;
      done.tell();
    };
    const own = beside(session, going.tell, onRefused, () => Promise.all(answered));
    const performed = perform(own, step).finally(() => {
      session.count.writing -= 1;
      going.tell();
      done.tell();
    });
    return performed.then(() => (sent.length > 1 ? undefined : mustBeTaken(session, step, refused)));
  };
  const looks = steps.filter(({ step }) => step === 'look');
  const look = async (step: Step, at: number) => {
    const isEarly = at > 0 && at === looks.length - 1;
    if (sent.length > 0 && !isEarly) await Promise.race(sent);
    return perform(session, step);
  };
  const writes = steps.filter(({ step }) => step !== 'look').map(write);
  return allOf([...writes, ...looks.map(look)]);
}
