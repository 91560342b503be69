import type { AncOperationName } from '../../lib/contract/anc.ts';
import { idOf, isOfState, isSuccess } from '../../lib/wire/answer.ts';
import { isHeld, mayLackSession, sendAnc } from '../kit/anc.ts';
import { answerText } from '../kit/answer.ts';
import type { CheckContext } from '../kit/check.ts';
import { until, waited } from '../kit/poller.ts';
import { listEntries } from '../kit/record/finder.ts';
import type { AncTrial, Kept } from '../kit/values/learned.ts';
import type { Probe, Question } from './question.ts';
import { isAboutCaller } from './trial/try-write.ts';

/** The endpoint of the pool that probes use: its middle, because its ends belong to checks. */
function probeEndpoint({ run }: Pick<CheckContext, 'run'>) {
  const { pool, policies } = run.endpoints ?? {};
  const policyName = policies?.[0];
  if (pool === undefined || pool.size < 3 || policyName === undefined) return undefined;
  return { ...pool.at(Math.floor(pool.size / 2)), policyName };
}

/**
 * Applies and clears one endpoint: whether endpoints have sessions, and what the target answers to an operation that took effect. `landed`:
 * policies by the addresses of those among new records that are outside of the pool.
 */
export async function tryAnc(
  context: CheckContext,
  landed: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<AncTrial> {
  const endpoint = probeEndpoint(context);
  if (endpoint === undefined) return { effective: {} };
  const send = (operation: AncOperationName) => sendAnc(context, operation, endpoint);
  let isMissed = false;
  const found = () => isHeld(context, endpoint.macAddress, isMissed);
  const holds = (wanted: boolean) => until(context, async () => (await found()) === wanted);
  const effective: Partial<Record<'apply' | 'clear', number>> = {};
  const applied = await send('apply-by-mac');
  if (isAboutCaller(applied)) return { effective };
  const isFound = await holds(true);
  isMissed = !isFound && (await isHeld(context, endpoint.macAddress, true)) === true;
  const isApplied = isFound || isMissed;
  if (isApplied && !isSuccess(applied)) effective.apply = applied.status;
  const clear = async (): Promise<Kept | undefined> => {
    const exchange = await send('clear-by-mac');
    if (!isApplied) return undefined;
    if (!(await holds(false))) return { exchange, why: answerText(exchange) };
    if (!isSuccess(exchange)) effective.clear = exchange.status;
    return undefined;
  };
  if (!isApplied && isOfState(applied)) return { effective, refused: { ...endpoint, answer: applied } };
  // Twice, before the target counts as one that keeps what is applied.
  const kept = (await clear()) && (await clear());
  if (kept !== undefined) return { effective, isMissed, kept };
  for (const policyName of (isApplied && context.run.endpoints?.policies.slice(1)) || []) {
    const answer = await sendAnc(context, 'apply-by-mac', { ...endpoint, policyName });
    if (isOfState(answer) && answer.status !== effective.apply && !(await holds(true)))
      return { effective, isMissed, refused: { ...endpoint, policyName, answer } };
    await send('clear-by-mac');
    await holds(false);
  }
  if (!isApplied || endpoint.ipAddress === undefined) return { effective, isMissed };
  const listed = async () => (await listEntries(context, context.family.name)).flatMap((entry) => idOf(entry) ?? []);
  const before = new Set(await listed());
  const byIp = await send('apply-by-ip');
  if (isAboutCaller(byIp)) return { effective, isMissed };
  const came = isSuccess(byIp) && !(await holds(true)) ? (await listed()).filter((id) => !before.has(id)) : [];
  const other = [...(await landed(came))].find(([, policy]) => policy === endpoint.policyName)?.[0];
  if (other !== undefined)
    return { effective, isMissed, hasSessions: false, other: `${endpoint.ipAddress} is that of ${other}` };
  const hasSessions = isSuccess(byIp) || (await found()) === true;
  if (hasSessions) {
    await send('clear-by-mac');
    await holds(false);
  }
  const refusal = hasSessions ? {} : { refusal: byIp };
  // A fault of the target says nothing of the endpoint: the checks ask again.
  return { effective, isMissed, ...(hasSessions || mayLackSession(byIp) ? { hasSessions } : {}), ...refusal };
}

async function delayMs({ context }: Probe): Promise<number | undefined> {
  const endpoint = probeEndpoint(context);
  if (endpoint === undefined) return undefined;
  const send = (op: 'apply' | 'clear') => sendAnc(context, `${op}-by-mac`, endpoint);
  const holds = (wanted: boolean) => async () => (await isHeld(context, endpoint.macAddress)) === wanted || undefined;
  // A list may go on showing what it showed before.
  await holds(false)();
  await send('apply');
  const [, shownMs] = await waited(context, holds(true));
  await send('clear');
  const [, goneMs] = await waited(context, holds(false));
  return Math.max(shownMs, goneMs);
}

/** Asked on the pool, if the mode allows. */
export const ANC_QUESTION: Question = {
  id: 'anc.delay-ms',
  question: 'milliseconds until an apply and a clear are seen by lists, at most',
  needs: 'full',
  on: 'anc',
  ask: delayMs,
};
