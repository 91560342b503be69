import { CLEANUP_MS } from '../../lib/client/http/attempt.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import type { ClientOptions, EndpointPool, ErsClient, TargetConfig } from '../../lib/client/types.ts';
import { systemClock, timeLimit } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError } from '../../lib/errors.ts';
import type { RunSession } from './run-session.ts';

const LONGEST_MS = 2 ** 31 - 1;

/** Most time to remove what a run made, once it is to end: as long as it took, and no longer than this. A second signal ends it. */
const LONGEST_CLEANUP_MS = 10 * 60_000;

/** How long the clean-up of what begins now may take, in milliseconds, asked when it is to end. */
export function cleanupLimit(nowMs = () => performance.now()): () => number {
  const begunMs = nowMs();
  return () => Math.min(LONGEST_CLEANUP_MS, Math.max(CLEANUP_MS, nowMs() - begunMs));
}

/** Ends with the session, and when the time of the run is over. */
export const endOf = ({ signals }: RunSession, seconds: number): AbortSignal =>
  timeLimit(Math.min(LONGEST_MS, Math.round(seconds * 1000)), signals.abort);

/** The fault of a run whose time was over before it could judge anything. */
export const tooSlow = (seconds: number, option: string) =>
  new TargetError('deadline', `the ${seconds} s of the run were over before the first check`, {
    hint: `give it more time with ${option}, or find out why the target is slow`,
  });

/** `signal` ends its requests; that of the session unless given. */
type SessionClient = Pick<ClientOptions, 'target' | 'mode' | 'onExchange' | 'signal' | 'cleanupMs'> & {
  readonly pool?: { readonly pool: EndpointPool; readonly policies: readonly string[] } | undefined;
};

/** Looks at a target with GET alone, outside of any run; `who` names the client in its requests. */
export async function look<T>(target: TargetConfig, who: string, work: (client: ErsClient) => Promise<T>): Promise<T> {
  const [onExchange, onJournal] = [() => undefined, () => undefined];
  const given = { target, mode: 'read-only', runId: who, table: FAMILIES, onExchange, onJournal } as const;
  const client = createClient(given, { clock: systemClock });
  return work(client).finally(client.close);
}

/** Does work with a client of the session, counts its requests, and closes it. */
export async function withClient<T>(
  session: RunSession,
  { pool, cleanupMs, signal = session.signals.abort, ...given }: SessionClient,
  work: (client: ErsClient) => Promise<T>,
): Promise<T> {
  session.protect(given.target.credentials);
  const limit = cleanupLimit();
  // An IP address may be that of another endpoint when a sweep looks.
  const macOf = (endpoint = '') => {
    const index = pool?.pool.indexOf(endpoint);
    return index === undefined ? {} : { endpoint: pool?.pool.at(index).macAddress };
  };
  const client = createClient(
    {
      ...{ ...given, signal, runId: session.id, table: FAMILIES, idPrefix: session.nextPrefix() },
      // Whoever sends a signal may kill the process a minute later.
      cleanupMs: cleanupMs ?? (() => (session.signals.abort.aborted ? CLEANUP_MS : limit())),
      onJournal: (entry) => session.writer.journal({ ...entry, ...defined(macOf(entry.endpoint)) }),
      journalSynced: session.writer.journalSynced,
      onWait: session.waits,
      ...defined({ pool: pool?.pool, policies: pool?.policies }),
    },
    { clock: systemClock },
  );
  try {
    return await work(client);
  } finally {
    session.addRequests(client);
    await client.close();
  }
}
