import { isTaken } from '../../conformance/kit/anc/taken.ts';
import { defined } from '../../lib/defined.ts';
import { ancFields } from '../../lib/wire/anc.ts';
import { idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { walkList } from '../../lib/wire/list-walk.ts';
import type { Step } from '../draw/step.ts';
import { isExcused, refusedOnce, refusedPlain } from '../model/attempt.ts';
import { settled } from '../model/settled.ts';
import { raise, type World } from '../model/world.ts';

/** Distance between the endpoints that sequences use: what reaches a neighbor by mistake reaches none of the pool's own. */
const APART = 3;

function endpoint({ context }: World, index: number) {
  const pool = context.run.endpoints?.pool;
  return pool === undefined || pool.size === 0 ? undefined : pool.at((index * APART + 5) % pool.size);
}

/** What each endpoint of the sequence holds, as the records of the family say. */
async function heldNow(world: World): Promise<Map<string, string[]> | undefined> {
  const { context, policies } = world;
  const walk = await walkList(
    { list: (input) => context.send('list', input), follow: (href) => context.follow(href) },
    { list: { size: 20 } },
    { anySize: true },
  );
  if (walk.refused !== undefined || walk.cut !== undefined) return undefined;
  const found = new Map<string, string[]>();
  for (const { id } of walk.items) {
    const exchange = await context.send('read', { id });
    const record = isSuccess(exchange) ? recordOf(exchange) : undefined;
    if (record === undefined || idOf(record) !== id) continue;
    const shown = String(record['macAddress'] ?? '').toUpperCase();
    const mac = shown.replaceAll('-', ':');
    if (mac !== shown && policies.has(mac))
      raise(world, { requirement: 'RES-MAC', what: 'MAC address', expected: mac, observed: shown });
    const isOurs = policies.has(mac) || context.run.endpoints?.pool.has(mac) === true;
    if (isOurs) found.set(mac, [...(found.get(mac) ?? []), String(record['policyName'] ?? '')]);
  }
  return found;
}

/** The records of the family say what the model says, of every endpoint of the pool. */
async function checkPolicies(world: World): Promise<void> {
  const found = await settled(world, async () => {
    const now = await heldNow(world);
    if (now === undefined) return undefined;
    const ours = new Set([...world.policies.keys(), ...now.keys()]);
    for (const mac of ours) {
      const wanted = world.policies.get(mac);
      const got = now.get(mac) ?? [];
      if (got.length === (wanted === undefined ? 0 : 1) && (wanted === undefined || got[0] === wanted)) continue;
      return {
        requirement: 'SPC-ANC',
        what: world.policies.has(mac) ? 'policy of an endpoint' : 'policy of another endpoint',
        expected: `${mac}: ${wanted ?? 'no policy'}`,
        observed: got.join(', ') || 'no policy',
      };
    }
    return undefined;
  });
  if (found !== undefined) raise(world, found);
}

type AncStep = Extract<Step, { readonly kind: 'apply' | 'clear' }>;

/** Applies or clears one endpoint after the other, or several in one request, and looks at all of them. */
export async function ancStep(world: World, step: AncStep): Promise<void> {
  const { context, policies } = world;
  const known = context.run.endpoints?.policies ?? [];
  const policyName = step.kind === 'apply' ? known[step.policy % Math.max(1, known.length)] : undefined;
  const targets = step.endpoints.flatMap((index) => endpoint(world, index) ?? []);
  if (targets.length === 0 || (step.kind === 'apply' && policyName === undefined)) return;
  // What the target holds already decides whether it may refuse: an endpoint with the policy, or one without any.
  const fit = targets.filter(({ macAddress }) => {
    const held = policies.get(macAddress.toUpperCase());
    return step.kind === 'apply' ? held !== policyName : held !== undefined;
  });
  const hasSessions = context.run.anc().hasSessions !== false;
  const byIp =
    step.kind === 'apply' && step.byIp && hasSessions && fit.every(({ ipAddress }) => ipAddress !== undefined);
  const parts = fit.map((target) => {
    const operation = step.kind === 'clear' ? 'clear-by-mac' : byIp ? 'apply-by-ip' : 'apply-by-mac';
    return ancFields(operation, { ...target, ...defined({ policyName }) })['additionalData'];
  });
  if (parts.length === 0) return;
  const fields = { additionalData: parts.flat() };
  const exchange = await context.send(step.kind, { fields });
  const isDone = isTaken(context, step.kind, exchange);
  if (isDone) world.lessons.accepted.add(step.kind);
  if (isDone) for (const { macAddress } of fit) policies.set(macAddress.toUpperCase(), policyName);
  // Several endpoints in one request, and addresses that no session has, may be refused; one by its MAC address may not.
  else if (fit.length === 1 && !byIp && !isExcused(exchange)) {
    const again = await context.send(step.kind, { fields });
    const isDoneNow = isTaken(context, step.kind, again);
    if (isDoneNow) for (const { macAddress } of fit) policies.set(macAddress.toUpperCase(), policyName);
    if (isDoneNow) refusedOnce(world, step.kind, exchange);
    else refusedPlain(world, step.kind, again);
  }
  await checkPolicies(world);
}

/** Takes every policy of the sequence off again. */
export async function clearAll({ context, policies }: World): Promise<void> {
  for (const [macAddress, policy] of policies) {
    if (policy !== undefined) await context.send('clear', { fields: ancFields('clear-by-mac', { macAddress }) });
  }
}
