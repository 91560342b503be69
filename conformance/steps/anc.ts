import { defined } from '../../lib/defined.ts';
import { ancFields } from '../../lib/wire/anc.ts';
import { NotDone, type Session } from '../driver/session.ts';
import { isTaken } from '../kit/anc/taken.ts';
import { answerText } from '../kit/answer.ts';
import { isExcused, refusedOnce, refusedPlain } from './attempt.ts';
import type { StepOf } from './step.ts';

/** Distance between the endpoints that sequences use: what reaches a neighbor by mistake reaches none of the pool's own. */
const APART = 3;

type Target = ReturnType<NonNullable<Session['context']['run']['endpoints']>['pool']['at']>;

function targetsOf({ context }: Session, numbers: readonly number[]): readonly Target[] {
  const pool = context.run.endpoints?.pool;
  if (pool === undefined || pool.size === 0) throw new NotDone('no endpoints');
  return numbers.map((number) => pool.at((number * APART + 5) % pool.size));
}

interface Write {
  readonly op: 'apply' | 'clear';
  readonly targets: readonly Target[];
  readonly policyName: string | undefined;
  readonly byIp: boolean;
}

/** Sends one request for all of the endpoints, and takes it for done if it is answered so: a look tells whether it was. */
async function send(session: Session, { op, targets, policyName, byIp }: Write): Promise<void> {
  const { context, policies } = session;
  if (targets.length === 0) throw new NotDone('nothing to change');
  const operation = op === 'clear' ? 'clear-by-mac' : byIp ? 'apply-by-ip' : 'apply-by-mac';
  const parts = targets.flatMap(
    (target) => ancFields(operation, { ...target, ...defined({ policyName }) })['additionalData'],
  );
  const request = () => context.send(op, { fields: { additionalData: parts } });
  const note = () => {
    session.lessons.taken.add(op);
    for (const { macAddress } of targets) policies.set(macAddress.toUpperCase(), policyName);
  };
  const exchange = await request();
  if (isTaken(context, op, exchange)) return note();
  // Several endpoints in one request, and addresses that no session has, may be refused; one by its MAC address may not.
  if (targets.length > 1 || byIp || isExcused(exchange)) throw new NotDone(answerText(exchange));
  const again = await request();
  if (!isTaken(context, op, again)) return refusedPlain(session, op, again);
  note();
  refusedOnce(session, op, exchange);
}

/** Gives endpoints a policy, in one request; those that have it already may be refused, and are left out. */
export async function apply(session: Session, step: StepOf<'apply'>): Promise<void> {
  const { context, policies } = session;
  const all = targetsOf(session, step.endpoints);
  const known = context.run.endpoints?.policies ?? [];
  const policyName = known[step.policy % Math.max(1, known.length)];
  if (policyName === undefined) throw new NotDone('no policies');
  const targets = all.filter(({ macAddress }) => policies.get(macAddress.toUpperCase()) !== policyName);
  const hasSessions = context.run.anc().hasSessions !== false;
  const byIp = step.byIp && hasSessions && targets.every(({ ipAddress }) => ipAddress !== undefined);
  return send(session, { op: 'apply', targets, policyName, byIp });
}

/** Takes the policies of endpoints off, in one request; those that have none may be refused, and are left out. */
export async function clear(session: Session, { endpoints }: StepOf<'clear'>): Promise<void> {
  const held = ({ macAddress }: Target) => session.policies.get(macAddress.toUpperCase()) !== undefined;
  const targets = targetsOf(session, endpoints).filter(held);
  return send(session, { op: 'clear', targets, policyName: undefined, byIp: false });
}

/** Takes off every policy that the sequence gave. Never throws: what stays is left to the clean-up of the run. */
export async function clearAll({ context, policies }: Session): Promise<void> {
  for (const [macAddress, policy] of policies)
    if (policy !== undefined)
      await context.send('clear', { fields: ancFields('clear-by-mac', { macAddress }) }).catch(() => undefined);
  policies.clear();
}
