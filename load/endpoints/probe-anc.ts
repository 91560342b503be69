import { holdingsOf } from '../../lib/client/anc/look.ts';
import { policyRefused } from '../../lib/client/anc/policy-refused.ts';
import {
  applyEndpoint,
  clearEndpoint,
  type Holding,
  ifReadable,
  learnLookup,
  sendAnc,
} from '../../lib/client/anc/state.ts';
import { saidIn } from '../../lib/client/http/said.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError, UsageError } from '../../lib/errors.ts';
import { answerWords } from '../../lib/said.ts';
import { ANSWER_CODES } from '../../lib/wire/scenario.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { type AncFindings, endpointsOf, type LoadContext, notePhase, type Refusal } from './context.ts';
import { strayHolders } from './initial-state.ts';
import { settle } from './read-back.ts';
import { codeOfAnswer, saidBy, setEndpoints } from './set-endpoints.ts';

const NOTHING_FOUND = { latenciesMs: [], untaken: 'was not tried: none of the first endpoints is free' } as const;
const AMONG = 64;
const ROUNDS = 3;
/** An answer 5xx may come by chance: so many in a row are a refusal. */
const CHANCES = 3;

/** Number of an endpoint of a cell that holds nothing; one whose address has letters shows in which case the target writes them. */
function freeEndpoint({ plan, state }: LoadContext, cell: PlannedCell): number | undefined {
  const free = endpointsOf(cell)
    .slice(0, AMONG)
    .filter((index) => state.get(index) === 'nothing');
  return free.find((index) => /[A-F]/.test(plan.pool.at(index).macAddress)) ?? free[0];
}

async function lookAt({ client, plan }: LoadContext, index: number): Promise<Holding | undefined> {
  const { macAddress } = plan.pool.at(index);
  return (await ifReadable(holdingsOf(client, [macAddress])))?.holdings.get(macAddress);
}

/** Looks until the endpoint holds what it should; what was answered before may still take effect. */
async function comesTo(context: LoadContext, index: number, isSo: (held: Holding | undefined) => boolean) {
  const look = async (all: readonly number[]) => (isSo(await lookAt(context, index)) ? [] : all);
  return (await settle(context, [index], context.plan.spec.readBackGraceMs, look, true)).left.length === 0;
}

const isOk = (answer: Exchange): boolean => codeOfAnswer(answer) === ANSWER_CODES.ok;

/** Codes of an apply that say that the endpoint holds a policy, or that the target is busy. */
const NO_REFUSAL: ReadonlySet<string> = new Set([
  ANSWER_CODES.ok,
  ANSWER_CODES.alreadyAssociated,
  ANSWER_CODES.retryAfter,
]);

/** An apply that was answered with an error: what it means for the endpoint, only a look tells. */
const isApplyError = (answer: Exchange): boolean => !NO_REFUSAL.has(codeOfAnswer(answer));

/** The policy of the load, or one that the record does not name. */
const isOurs =
  ({ plan }: LoadContext) =>
  (held: Holding | undefined): boolean =>
    held === plan.policy || held === '';

const isNothing = (held: Holding | undefined): boolean => held === null;

/** Clears the endpoint again; if that is answered with an error, a look tells if it was done anyway. */
async function clearAgain(context: LoadContext, index: number): Promise<{ answer: Exchange; isDespite: boolean }> {
  const answer = await clearEndpoint(context.client, context.plan.pool.at(index).macAddress);
  const code = codeOfAnswer(answer);
  const isDespite = code === ANSWER_CODES.other && (await comesTo(context, index, isNothing));
  if (isDespite || code === ANSWER_CODES.ok || code === ANSWER_CODES.notAssociated) context.state.set(index, 'nothing');
  return { answer, isDespite };
}

/** Applies the policy to one endpoint by its MAC address. Throws `TargetError` if it is refused and nothing is stored, or cannot be cleared again. */
async function probeMac(context: LoadContext, index: number): Promise<AncFindings> {
  const { client, plan, state } = context;
  const { macAddress } = plan.pool.at(index);
  state.set(index, 'unknown');
  const applied = await applyEndpoint(client, macAddress, plan.policy);
  const isError = isApplyError(applied);
  const isDespite = isError && (await comesTo(context, index, isOurs(context)));
  if (isError && !isDespite && applied.status < 500)
    throw policyRefused(plan.policy, macAddress, applied.status, saidIn(client, applied));
  const isDone = isOk(applied) || isDespite;
  if (isDone) {
    state.set(index, 'policy');
    await ifReadable(learnLookup(client, macAddress));
  }
  const cleared = await clearAgain(context, index);
  if (!isDone)
    return { ...NOTHING_FOUND, untaken: `was answered ${answerWords(applied.status, saidIn(client, applied))}` };
  // By chance a clear may fail once: the tries of the clean-up decide.
  if (state.get(index) !== 'nothing' && (await setEndpoints(context, [index], 'nothing')).failed.length > 0)
    throw new TargetError(
      'anc-refused',
      `clearing ${macAddress} was answered ${answerWords(cleared.answer.status, saidIn(client, cleared.answer))}`,
      {
        hint: 'what a load applies, it could not take away again: make the target take a clear first',
      },
    );
  const answers = [applied, cleared.answer];
  for (let round = 1; round < ROUNDS && state.get(index) === 'nothing'; round += 1) {
    state.set(index, 'unknown');
    answers.push(await applyEndpoint(client, macAddress, plan.policy), (await clearAgain(context, index)).answer);
  }
  const despite = isDespite ? applied : cleared.isDespite ? cleared.answer : undefined;
  return {
    latenciesMs: answers.map(({ durationMs }) => durationMs),
    ...defined({ doneDespite: despite && saidBy(client, despite) }),
  };
}

/** Throws `UsageError` if an apply by IP address went to another endpoint than the pool names: a load would send thousands there. */
async function checkAddress(context: LoadContext, index: number): Promise<void> {
  if (await comesTo(context, index, isOurs(context))) return;
  const { plan } = context;
  const { indexes, others } = await strayHolders(context);
  const strays = [...others].flatMap(([mac, policy]) => (policy === plan.policy ? [mac] : []));
  const [other] = [...strays, ...indexes.map((each) => plan.pool.at(each).macAddress)];
  if (other === undefined) return;
  const { macAddress, ipAddress } = plan.pool.at(index);
  throw new UsageError('address-of-another', `${ipAddress} is the address of ${other}, not of ${macAddress}`, {
    hint: 'name the addresses of their sessions with --endpoints, or choose operations without it (--operation)',
  });
}

/** Applies the policy by the IP address of an endpoint; the refusal, in the words of the target, or undefined if it is taken. */
async function refusalByIp(context: LoadContext, index: number): Promise<string | undefined> {
  const { client, plan, state } = context;
  const { ipAddress = '' } = plan.pool.at(index);
  for (let tries = 1; ; tries += 1) {
    state.set(index, 'unknown');
    const answer = await sendAnc(client, 'apply-by-ip', { ipAddress, policyName: plan.policy });
    const isRefused = isApplyError(answer) && (await comesTo(context, index, isNothing));
    if (!isRefused) {
      if (isOk(answer)) await checkAddress(context, index);
      await clearAgain(context, index);
      return undefined;
    }
    state.set(index, 'nothing');
    if (answer.status < 500 || tries === CHANCES) return answerWords(answer.status, saidIn(client, answer));
  }
}

/** What the operations that name an IP address are refused; undefined if they are taken, or nobody can tell. */
async function noSession(context: LoadContext, index: number): Promise<Refusal | undefined> {
  const refusal = await refusalByIp(context, index);
  if (refusal === undefined) return undefined;
  const { macAddress, ipAddress } = context.plan.pool.at(index);
  context.state.set(index, 'unknown');
  const byMac = await applyEndpoint(context.client, macAddress, context.plan.policy);
  const isTaken = isOk(byMac) || (await comesTo(context, index, isOurs(context)));
  await clearAgain(context, index);
  if (!isTaken) return undefined;
  const why = `applying by the IP address ${ipAddress} was answered ${refusal}, and the same endpoint is taken by its MAC address: it may have no session`;
  return { why, refusal };
}

/** Clears one endpoint as the operation does, which names the policy too; the refusal, or undefined if it is taken. */
async function refusedClear(
  context: LoadContext,
  index: number,
  operation: AncOperationName,
): Promise<Refusal | undefined> {
  const { client, plan, state } = context;
  const { macAddress } = plan.pool.at(index);
  state.set(index, 'unknown');
  await applyEndpoint(client, macAddress, plan.policy);
  const answer = await sendAnc(client, operation, { macAddress, policyName: plan.policy });
  const isRefused = !isOk(answer) && (await comesTo(context, index, isOurs(context)));
  await clearAgain(context, index);
  if (!isRefused) return undefined;
  const refusal = answerWords(answer.status, saidIn(client, answer));
  return { why: `clearing ${macAddress} with the name of the policy was answered ${refusal}`, refusal };
}

async function refusedOf(context: LoadContext): Promise<NonNullable<AncFindings['refused']>> {
  const cells = new Map(context.plan.cells.map((cell) => [cell.operation, cell]));
  const refused: Partial<Record<AncOperationName, Refusal>> = {};
  for (const [operation, cell] of cells) {
    const { op, items } = ANC_OPERATIONS[operation];
    const isByPolicy = op === 'clear' && items.includes('policyName');
    const trial = items.includes('ipAddress') ? noSession : isByPolicy ? refusedClear : undefined;
    const index = trial && freeEndpoint(context, cell);
    if (index === undefined) continue;
    notePhase(context, { ...cell, endpointCount: AMONG }, 'intent', 'apply');
    const found = await trial?.(context, index, operation);
    if (found !== undefined) refused[operation] = found;
  }
  return refused;
}

/** Applies and clears one endpoint before anything is measured, and tries the other operations once. Throws `TargetError` if the first is refused. */
export async function probeAnc(context: LoadContext): Promise<AncFindings> {
  const [cell] = context.plan.cells;
  const index = cell && freeEndpoint(context, cell);
  if (cell === undefined || index === undefined) return NOTHING_FOUND;
  notePhase(context, { ...cell, endpointCount: AMONG }, 'intent', 'apply');
  const found = await probeMac(context, index);
  if (found.latenciesMs.length === 0) return found;
  const refused = await refusedOf(context);
  return Object.keys(refused).length === 0 ? found : { ...found, refused };
}
