import { ancFamily } from '../../wire/anc.ts';
import { isNotFound } from '../../wire/answer.ts';
import type { ClientOptions, Exchange } from '../types.ts';
import { recordInPath } from './record-identity.ts';
import { heldPolicyIn } from './targets.ts';

/** A policy of the run as the run names it: a target may show it in other case, or with blanks around it. */
export function policyIn(policies: readonly string[], shown: string): string {
  const text = shown.trim().toLowerCase();
  return policies.find((own) => own.toLowerCase() === text) ?? shown;
}

/** Endpoints beside the pool of which is remembered what they held. */
const MOST_OUTSIDE = 5000;

/** The endpoints of a run: those it put a policy on, and those it may have. */
export function openEndpoints(
  { pool, policies, table }: Pick<ClientOptions, 'pool' | 'policies' | 'table'>,
  nowMs: () => number,
) {
  /** Those that a policy was asked for, or seen on, with what the last answer to a write says that each holds. */
  const touched = new Map<string, { readonly address: string; readonly said: 'policy' | 'nothing' | 'unknown' }>();
  /** Those of them that a write of the run named. */
  const named = new Set<string>();
  /** Endpoints that the last look showed with a policy of somebody else, with the id of the record that did. */
  const foreign = new Map<string, { readonly id: string | undefined; readonly policy: string }>();
  /** Writes whose answer leaves open if they were done, and when each was answered; a look that shows it done ends that. */
  const awaited = new Map<string, { readonly kind: 'apply' | 'clear'; readonly atMs: number }>();
  /** Id of the record that a look showed with a policy of the run, since the last apply of it. */
  const records = new Map<string, string | undefined>();
  /** What looks showed of endpoints that the run names in no write: first, and last. */
  const outside = new Map<string, { readonly was: string; readonly policy: string }>();
  const isOwn = (policy: string) => policies?.includes(policyIn(policies, policy)) === true;
  /** Those whose clear was refused although the target took an apply: no look showed the policy since. */
  const lost = new Set<string>();
  const tally = { taken: 0, returned: 0 };
  // An endpoint applied by its IP address and cleared by its MAC address is one endpoint.
  const keyOf = (address: string) => String(pool?.indexOf(address) ?? address);
  const isSeen = (kind: 'apply' | 'clear', address: string) => {
    if (awaited.get(keyOf(address))?.kind === kind) awaited.delete(keyOf(address));
  };
  return {
    /** Says that a write may still take effect. A clear says nothing of an apply before it that nobody saw. */
    awaits(address: string, kind: 'apply' | 'clear') {
      if (kind === 'apply' || awaited.get(keyOf(address))?.kind !== 'apply')
        awaited.set(keyOf(address), { kind, atMs: nowMs() });
    },
    /** When the last write was answered that may still take effect; `-Infinity` if there is none. */
    awaitedSinceMs: () =>
      [...awaited.values()].reduce((last, { atMs }) => Math.max(last, atMs), Number.NEGATIVE_INFINITY),
    /** `isTaken`: the target said so; else it may still have been stored, and is looked for when cleaning up. */
    apply(address: string, isTaken: boolean) {
      const key = keyOf(address);
      const { said = 'nothing' } = touched.get(key) ?? {};
      named.add(key);
      records.delete(key);
      lost.delete(key);
      if (isOwn(foreign.get(key)?.policy ?? '')) foreign.delete(key);
      if (isTaken && said === 'nothing') tally.taken += 1;
      // The newest comes last.
      if (said === 'nothing') touched.delete(key);
      touched.set(key, { address, said: isTaken || said === 'policy' ? 'policy' : 'unknown' });
    },
    /** A clear was refused. One before it that was given up may have been done. */
    keeps(address: string) {
      const key = keyOf(address);
      if (touched.get(key)?.said === 'policy' && awaited.get(key)?.kind !== 'clear') lost.add(key);
    },
    /** It was cleared: by the answer to one, or `isShown` by a look. */
    clear(address: string, isShown = false) {
      isSeen('clear', address);
      if (!isShown) lost.delete(keyOf(address));
      const known = touched.get(keyOf(address));
      if (known === undefined || known.said === 'nothing') return;
      touched.set(keyOf(address), { address: known.address, said: 'nothing' });
      tally.returned += 1;
    },
    /**
     * Takes in a read of an endpoint. One that was free and shows a policy of the run is touched: the policy
     * may have landed there. One with a policy of somebody else is theirs until a look shows it free of that; so
     * is one with a policy of the run that no write named, and one that the run cleared, and that shows a policy
     * of the run under another id than it showed that of the run.
     */
    sees(exchange: Exchange) {
      const { family, op, path } = exchange.request;
      if (op !== 'read' || family !== ancFamily(table)) return;
      const id = recordInPath(path)?.id;
      const held = heldPolicyIn(exchange);
      const key = keyOf(held?.mac ?? '');
      const isAnother = records.has(key) && records.get(key) !== id && touched.get(key)?.said === 'nothing';
      const isOurs = held !== undefined && isOwn(held.policy) && !(isAnother && awaited.get(key)?.kind !== 'apply');
      if (isOurs) records.set(key, id);
      if (isOurs) lost.delete(key);
      if (isOurs) isSeen('apply', held.mac);
      const isAstray = isOurs && !named.has(key);
      if (pool?.wasFree === undefined) return;
      if (held === undefined) {
        if (isNotFound(exchange)) for (const [key, one] of foreign) if (one.id === id) foreign.delete(key);
        return;
      }
      const { mac, policy } = held;
      if (pool.indexOf(mac) === undefined && (outside.has(mac) || outside.size < MOST_OUTSIDE))
        outside.set(mac, { was: outside.get(mac)?.was ?? policy, policy });
      if (!pool.wasFree(mac)) return;
      if (policy === '' || (isOurs && !isAstray)) foreign.delete(key);
      else foreign.set(key, { id, policy });
      // The clean-up looks at it, whichever look showed it.
      if (isAstray && touched.size > 0 && !touched.has(key)) touched.set(key, { address: mac, said: 'nothing' });
    },
    /** Endpoints that a policy of the run was seen on in place of another, although no write names them. */
    replaced: () =>
      [...outside].flatMap(([mac, { was, policy }]) =>
        isOwn(policy) && was !== '' && !isOwn(was) ? [{ mac, was, policy }] : [],
      ),
    lost: () => [...lost].flatMap((key) => touched.get(key)?.address ?? []),
    foreignOn: (address: string): string | undefined => foreign.get(keyOf(address))?.policy,
    isNamed: (address: string) => named.has(keyOf(address)),
    applied: () =>
      [...touched.values()].flatMap(({ address, said }) => (said === 'nothing' ? [] : [address])).reverse(),
    lastSaid: (address: string) => touched.get(keyOf(address))?.said ?? 'nothing',
    touched: () => [...touched.values()].map(({ address }) => address),
    tally: () => tally,
  };
}
