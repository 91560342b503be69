import { creatable } from '../../conformance/kit/fields.ts';
import { payloadMaker } from '../../conformance/kit/values/payload.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type Family, type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { ancFields } from '../../lib/wire/anc.ts';
import { answeredId, isSuccess } from '../../lib/wire/answer.ts';
import { macAt } from '../../lib/wire/endpoint.ts';
import type { ReferenceServer } from '../server.ts';

/** Records of each family that the writer has at most at one time. */
const KEPT = 110;
/** Its numbers stay clear of those that the checks draw. */
const SEED_APART = 7919;
/** Its endpoints are none of the pool's. */
const ENDPOINTS = { first: '02:FE:00:00:00:00', size: 32 } as const;

const table: FamilyTable = FAMILIES;

interface Writer {
  readonly client: ErsClient;
  readonly family: string;
  readonly serial: number;
}

/** Creates two records, changes one under another name, removes one, and so on. */
async function writeRecord({ client, family, serial }: Writer, kept: string[], fields: object): Promise<void> {
  const turn = serial % 4;
  const id = kept[(serial * 7) % Math.max(1, kept.length)];
  if (turn < 2 && kept.length < KEPT) {
    const made = answeredId(await client.send(family, 'create', { fields: { ...fields } }));
    if (made !== undefined) kept.push(made);
  } else if (turn === 2 && id !== undefined && hasOp(table[family] as Family, 'update'))
    await client.send(family, 'update', { id, fields: { ...fields, id } });
  else if (id !== undefined && isSuccess(await client.send(family, 'delete', { id }))) kept.splice(kept.indexOf(id), 1);
}

/** Puts the policy on one endpoint after the other, and takes it off again. */
async function writeEndpoint({ client, family, serial }: Writer, policyName: string): Promise<void> {
  const macAddress = macAt(ENDPOINTS.first, Math.floor(serial / 2) % ENDPOINTS.size);
  const op = serial % 2 === 0 ? 'apply' : 'clear';
  const fields = ancFields(`${op}-by-mac`, { macAddress, policyName });
  await client.send(family, op, { fields });
}

/** Writes beside a run, in every family and on endpoints, so many times a second in each, until stopped; gives how many it sent. */
export function startForeignWriter(
  { baseUrl, username, password, policies }: ReferenceServer,
  { seed, perSecond }: { readonly seed: number; readonly perSecond: number },
  clock: Clock,
): { readonly stop: () => Promise<number> } {
  const client = createClient(
    {
      target: { baseUrl, credentials: { username, password }, timeoutMs: 5000, connections: 4 },
      mode: 'full',
      runId: `foreign-${seed}`,
      table: FAMILIES,
      pool: readPool(`${ENDPOINTS.first}+${ENDPOINTS.size}`),
      policies,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock },
  );
  const families = creatable(FAMILIES);
  const [policy = ''] = policies;
  let on = true;
  let sent = 0;
  const keepOn = async (work: (serial: number) => Promise<void>) => {
    for (let serial = 0; on; serial += 1) {
      await work(serial).catch(() => undefined);
      sent += 1;
      await clock.sleep(1000 / perSecond);
    }
  };
  const writers = families.map((family, index) => {
    const payload = payloadMaker({
      table: FAMILIES,
      prefix: 'foreign-',
      seed: seed + SEED_APART,
      index,
      of: families.length,
      references: { next: () => undefined, leaveOut: () => undefined },
    });
    const kept: string[] = [];
    return keepOn((serial) => writeRecord({ client, family, serial }, kept, payload(family)));
  });
  const anc = Object.values(FAMILIES).filter((family) => hasOp(family, 'apply'));
  writers.push(...anc.map(({ name }) => keepOn((serial) => writeEndpoint({ client, family: name, serial }, policy))));
  return {
    stop: async () => {
      on = false;
      await Promise.allSettled(writers);
      await client.close();
      return sent;
    },
  };
}
