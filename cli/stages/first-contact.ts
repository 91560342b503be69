import type { Templates } from '../../conformance/engine/first-contact.ts';
import { openRun } from '../../conformance/engine/open-run.ts';
import { nothingServed } from '../../conformance/engine/service.ts';
import type { ConnectionTrial, ErsClient } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { RunSession } from '../session/run-session.ts';

/** Connections that are opened at once: more than any real deployment is known to cap them at. */
const CONNECTIONS = 40;
const VISIBILITY_MS = 3000;
/** Keeps the names of records that others point at apart from those of first tries. */
const BEYOND = 6000;

/**
 * Makes the first writes that a run would make, and nothing else: one record in each family, changed, removed and proven gone; the session
 * takes in what was removed and what is left. Throws `TargetError` if nothing is served.
 */
export async function makeFirstContact(
  client: ErsClient,
  session: RunSession,
  { seed, templates }: { readonly seed: number; readonly templates: Templates },
) {
  const [names, signal] = [Object.keys(FAMILIES), session.signals.abort];
  const open = await openRun({
    ...{ client, signal, seed, templates, names, clock: systemClock, table: FAMILIES, depth: 'quick' },
    atOnce: 2,
    offset: BEYOND,
    visibilityMs: VISIBILITY_MS,
  });
  const fault = nothingServed(open.services);
  if (fault !== undefined) throw fault;
  const [first = ''] = open.served;
  let connections: ConnectionTrial = { asked: 0, served: 0 };
  try {
    await open.begin(open.served);
    connections = await client.tryConnections(first, CONNECTIONS);
  } finally {
    session.addCleanup(await open.end());
  }
  // Families that take no further create, with the reason.
  const closed: ReadonlyMap<string, string> = new Map(
    names.flatMap((name) => {
      const why = client.closed(name);
      return why === undefined ? [] : [[name, why] as const];
    }),
  );
  return { services: open.services, learned: open.run.learned, dialect: open.dialect, closed, connections };
}

/** What the first writes to a target showed of it. */
export type FirstContact = Awaited<ReturnType<typeof makeFirstContact>>;
