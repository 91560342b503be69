import type { Exchange } from '../../lib/client/types.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { ANC_DATA_FIELD } from '../../lib/contract/operations.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { UsageError } from '../../lib/errors.ts';
import { present } from '../../lib/present.ts';
import { ancFields } from '../../lib/wire/anc.ts';
import { isOfState } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { askEndpoints, endpointOf, lookAtEndpoints, noteAnc } from '../driver/endpoints.ts';
import { DifferenceFound, NotDone, type Session } from '../driver/session.ts';
import { isTaken } from '../kit/anc.ts';
import { OF_ROWS, STANDING } from '../kit/anc-places.ts';
import { answerText, isExcused } from '../kit/answer.ts';
import { showsAtOnce } from '../kit/delay.ts';
import { caseTurned } from '../kit/list/value.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import { endpointIn } from '../model/anc.ts';
import type { End } from '../model/history.ts';
import { attempt, refusedOnce, refusedPlain, sendPlain } from './attempt.ts';
import type { Carried, Spelling, StepOf } from './step.ts';

const BY_IP = 'by IP address';
const OTHER_CASE = 'other case';

type Target = ReturnType<typeof endpointOf> & { readonly policyName?: string };

/** One request: what is sent, what it may be refused for, and what it does to each endpoint. */
interface Request {
  readonly op: 'apply' | 'clear';
  readonly targets: readonly Target[];
  readonly input: RequestInput;
  /** The same for one endpoint, with nothing that nobody has to take. */
  readonly plain: (target: Target) => RequestInput;
  /** What about it the specification does not show, so that it may be refused. */
  readonly open: readonly string[];
  /** There is or may be nothing to do: it may be refused, and changes nothing then. */
  readonly isIdle: boolean;
}

export function bodyOf(operation: AncOperationName, targets: readonly Target[], spelling?: Spelling): RequestInput {
  const items = targets.flatMap((target) => {
    const macAddress = spelling === OTHER_CASE ? caseTurned(target.macAddress) : target.macAddress;
    const own = ancFields(operation, { ...target, macAddress })[ANC_DATA_FIELD] as readonly unknown[];
    return spelling === 'policy first' ? own.toReversed() : own;
  });
  return { fields: { [ANC_DATA_FIELD]: items } };
}

function done(session: Session, { op, targets, open }: Request, end: End): void {
  for (const { address, policyName } of targets)
    noteAnc(session, { kind: op, address, policy: op === 'apply' ? policyName : undefined, how: open, end });
}

async function send(session: Session, request: Request, carried: Carried): Promise<Exchange> {
  const taken = (exchange: Exchange) => isTaken(session.context, request.op, exchange);
  try {
    const { exchange } = await attempt(session, request.op, request.input, carried, { isTaken: taken });
    return exchange;
  } catch (fault) {
    // The client names no endpoint that the operator did not give to the run. What else ends a request leaves open what it did.
    if (fault instanceof UsageError) throw new NotDone(fault.message);
    done(session, request, 'unknown');
    if (fault instanceof DifferenceFound && request.open.includes(BY_IP))
      throw new NotDone('it may have had no session');
    throw fault;
  }
}

/** True if a look shows that the request did to each of its endpoints what it asked for. */
async function showsAll(session: Session, { op, targets }: Request): Promise<boolean> {
  for (const { address } of targets) session.anc.touched.add(address);
  const { shown } = await askEndpoints(session);
  const entries = shown.pages.flat().map(endpointIn);
  const policies = new Map(entries.map(({ address, policy }) => [address, policy]));
  const isApplied = ({ address, policyName }: Target) =>
    policies.has(address) && [policyName, undefined].includes(policies.get(address));
  return targets.every((target) => (op === 'clear' ? !policies.has(target.address) : isApplied(target)));
}

/** Sends the request. One that names one endpoint plainly must be taken; what is not shown may be refused, unless it was taken before. */
async function perform(session: Session, request: Request, carried: Carried): Promise<void> {
  const { op, targets, open, isIdle, plain } = request;
  const { context, lessons } = session;
  const lesson = [op, ...open].join(' ');
  // How several endpoints are listed is not shown: until a look has shown all of them done, one of them may be all that is read.
  const all = `all ${op}`;
  const isOpen = () => targets.length > 1 && !lessons.taken.has(all);
  // A look shows that something was done only if it is known to have been otherwise before.
  const isTelling = targets.every((target) => {
    const held = heldBy(session, target);
    return held !== undefined && held !== (op === 'apply' ? target.policyName : null);
  });
  // A list that is late may not show yet what is to be cleared.
  if (op === 'clear' && isOpen() && isTelling) await lookAtEndpoints(session);
  const exchange = await send(session, request, carried);
  if (isTaken(context, op, exchange)) {
    lessons.taken.add(op).add(lesson);
    if (isOpen() && isTelling && (await showsAll(session, request))) lessons.taken.add(all);
    return done(session, request, isOpen() ? 'unknown' : 'done');
  }
  done(session, request, 'refused');
  if (isIdle) return;
  if (isExcused(exchange)) throw new NotDone(answerText(exchange));
  // Whether an address has a session at the moment, only the target knows.
  const isTried = lessons.taken.has(lesson) && !open.includes(BY_IP);
  // To refuse the other letters of an address is a target's right; to fail at them is not.
  const isKnown = open.length === 0 || isTried || (open.join() === OTHER_CASE && isServerFault(exchange));
  // A request before it that did not do what it said may be the reason.
  if (isKnown) await lookAtEndpoints(session);
  const refused = async (answer: Exchange) => {
    if (isKnown && !mayBeLate(session, answer) && !(await isOfHeld(session, request, answer)))
      refusedPlain(session, op, answer);
    throw new NotDone(answerText(answer));
  };
  const [target] = targets;
  if (open.length > 0 || target === undefined) return refused(exchange);
  const again = await sendPlain(session, op, plain(target));
  if (!isTaken(context, op, again)) return refused(again);
  done(session, request, 'done');
  if (!mayBeLate(session, exchange)) refusedOnce(session, op, exchange);
}

/** True if a target may refuse for what an endpoint held before: what was applied or cleared since is not done yet. */
const mayBeLate = (session: Session, answer: Exchange): boolean => isOfState(answer) && !showsAtOnce(session);

const heldBy = ({ anc }: Session, { address }: Target): string | null | undefined => {
  const holding = anc.holdings.get(address);
  return holding === undefined ? null : holding.policy;
};

/** True if what endpoints hold may be why an apply is refused that was taken before: whether one that holds a policy takes another, and how many may hold one, is not shown ("States and transitions"). */
async function isOfHeld(session: Session, { op, targets, plain }: Request, refusal: Exchange): Promise<boolean> {
  if (op !== 'apply' || !isOfState(refusal) || !session.lessons.taken.has(op)) return false;
  if (targets.some((target) => heldBy(session, target) !== null)) return true;
  const named = new Set(targets.map(({ address }) => address));
  const all = Array.from({ length: OF_ROWS + STANDING }, (_, number) => endpointOf(session, number));
  const free = all.filter((other) => heldBy(session, other) === null && !named.has(other.address));
  // What is refused for the letters of its address is so for every other one with letters.
  const plainer = free.find(({ address }) => !/[a-f]/i.test(address));
  for (const other of present(
    plainer,
    free.find((one) => one !== plainer),
  )) {
    const policyName = targets[0]?.policyName ?? '';
    const answer = await sendPlain(session, op, plain({ ...other, policyName }));
    if (!isTaken(session.context, op, answer)) continue;
    noteAnc(session, { kind: op, address: other.address, policy: policyName, how: [], end: 'done' });
    return false;
  }
  return true;
}

/** A request that names endpoints in a shown way. `more`: what else about it is not shown. `isDone`: nothing is to do for an endpoint. */
function requestOf(
  operation: AncOperationName,
  targets: readonly Target[],
  spelling: Spelling,
  more: readonly string[],
  isDone: (target: Target) => boolean,
): Request {
  const { op } = ANC_OPERATIONS[operation];
  const isByIp = operation === 'apply-by-ip';
  const open = present(targets.length > 1 && 'several', isByIp && BY_IP, spelling !== 'plain' && spelling, ...more);
  return {
    ...{ op, targets, open },
    input: bodyOf(operation, targets, spelling),
    plain: (target) => bodyOf(`${op}-by-mac`, [target]),
    isIdle: targets.some(isDone),
  };
}

/** Puts a policy on endpoints. Throws `NotDone` if the target does not take it. */
export async function apply(session: Session, { who, policy, by, spelled, carried }: StepOf<'apply'>): Promise<void> {
  const { context } = session;
  const policies = context.run.endpoints?.policies ?? [];
  if (!hasOp(context.family, 'apply') || policies.length === 0) throw new NotDone('no apply');
  const policyName = policies[(policy ?? 0) % policies.length] ?? '';
  const targets = who.map((number): Target => ({ ...endpointOf(session, number), policyName }));
  if (policy === undefined) return withoutPolicy(session, targets, carried);
  const hasAddresses = targets.every(({ ipAddress }) => ipAddress !== undefined);
  if (by === 'ip' && (!hasAddresses || context.run.anc().hasSessions === false)) throw new NotDone('no session');
  const isOver = targets.some((target) => ![null, policyName].includes(heldBy(session, target) as string | null));
  // Whether the target has the others that the operator named, nobody has tried.
  const more = present(isOver && 'over another', policyName !== policies[0] && 'another policy');
  const operation = by === 'ip' ? 'apply-by-ip' : 'apply-by-mac';
  const isDone = (target: Target) => heldBy(session, target) === policyName;
  return perform(session, requestOf(operation, targets, spelled, more, isDone), carried);
}

/** An apply that names no policy. If it is refused it changes nothing; what it does if it is taken is not shown. */
async function withoutPolicy(session: Session, targets: readonly Target[], carried: Carried): Promise<void> {
  const input = bodyOf('clear-by-mac', targets);
  const request: Request = { op: 'apply', targets, input, plain: () => input, open: ['no policy'], isIdle: true };
  const exchange = await send(session, request, carried);
  done(session, request, isTaken(session.context, 'apply', exchange) ? 'unknown' : 'refused');
}

/** Takes the policy off endpoints. Throws `NotDone` if the target does not take it. */
export async function clear(session: Session, { who, isNamed, spelled, carried }: StepOf<'clear'>): Promise<void> {
  const { context } = session;
  if (!hasOp(context.family, 'clear') || context.run.endpoints === undefined) throw new NotDone('no clear');
  const [policy = ''] = context.run.endpoints.policies;
  const targets = who.map((number): Target => {
    const endpoint = endpointOf(session, number);
    return { ...endpoint, policyName: heldBy(session, endpoint) ?? policy };
  });
  const [operation, more] = isNamed
    ? (['clear-policy', ['naming the policy']] as const)
    : (['clear-by-mac', []] as const);
  // One that may hold none, as after an apply of several, may have nothing to clear.
  const isDone = (target: Target) => typeof heldBy(session, target) !== 'string';
  return perform(session, requestOf(operation, targets, spelled, more, isDone), carried);
}
