import { creatable } from '../conformance/kit/fields.ts';
import { payloadMaker } from '../conformance/kit/values/payload.ts';
import { createClient } from '../lib/client/http/create-client.ts';
import type { Clock } from '../lib/clock.ts';
import { FAMILIES } from '../lib/contract/families.ts';
import type { ReferenceServer } from '../reference/server.ts';

/** Records of each family that the writer has at most at one time. */
const KEPT = 40;
/** Its numbers stay clear of those that the checks draw. */
const SEED_APART = 7919;
/** Pause between two writes: as many as a busy deployment sees, not all that one processor can take. */
const PAUSE_MS = 10;

/** Creates and removes records in every family that can be created, beside a run, until stopped; gives how many it made. */
export function startForeignWriter(
  server: ReferenceServer,
  seed: number,
  clock: Clock,
): { readonly stop: () => Promise<number> } {
  const { baseUrl, username, password } = server;
  const client = createClient(
    {
      target: { baseUrl, credentials: { username, password }, timeoutMs: 5000, connections: 4 },
      mode: 'own-data',
      runId: `foreign-${seed}`,
      table: FAMILIES,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock },
  );
  const families = creatable(FAMILIES);
  let on = true;
  let made = 0;
  const write = async (family: string, index: number) => {
    const payload = payloadMaker({
      table: FAMILIES,
      prefix: 'foreign-',
      seed: seed + SEED_APART,
      index,
      of: families.length,
      reference: () => undefined,
    });
    const kept: string[] = [];
    for (let serial = 0; on; serial += 1) {
      const created = await client.send(family, 'create', { fields: payload(family) });
      const id = client.created().find((own) => own.family === family && !kept.includes(own.id))?.id;
      if (created.status < 300 && id !== undefined) {
        made += 1;
        kept.push(id);
      }
      const gone = kept.length > KEPT || serial % 3 === 2 ? kept.splice((serial * 7) % kept.length, 1)[0] : undefined;
      if (gone !== undefined) await client.send(family, 'delete', { id: gone });
      await clock.sleep(PAUSE_MS);
    }
  };
  const writers = families.map((family, index) => write(family, index));
  return {
    stop: async () => {
      on = false;
      await Promise.allSettled(writers);
      await client.close();
      return made;
    },
  };
}
