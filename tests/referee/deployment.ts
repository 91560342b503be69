import { FAMILIES } from '../../lib/contract/families.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { ancFamily } from '../../lib/wire/anc.ts';
import { macOf } from '../../lib/wire/endpoint.ts';
import { createDeployment, POLICIES } from '../../reference/deployment.ts';
import { createApp, listen } from '../../reference/http/listen.ts';
import type { StoredRecord } from '../../reference/store/store.ts';

/** Login of every run: each character that some encoding writes in another way. */
export const LOGIN = { username: 'canary-user', password: `pa+ss/w'o&rd=<x>9` } as const;
/** Sessions of the deployment; the run is given the first `POOL_SIZE` of them. */
const SESSIONS = 200;
export const POOL_SIZE = 160;
/** A device of a vendor, quarantined by somebody else. */
const VENDOR_MAC = '00:1B:54:AA:BB:CC';

/** A record with its family. */
export interface Held {
  readonly family: string;
  readonly record: StoredRecord;
}

const OWNED = Object.entries(FAMILIES).filter(([, family]) => !('viewOf' in family));

function colleagueFields(family: string, serial: number): Record<string, unknown> {
  const name = `colleague ${serial}`;
  if (family === 'sgt') return { name: `colleague_${serial}`, value: 40_000 + serial, isReadOnly: false };
  return { name, description: 'made by somebody else while the run was on' };
}

/** Starts the deployment for one seed, with foreign endpoints that hold a policy. */
export async function watchedDeployment(seed: number) {
  const deployment = createDeployment({
    ...{ table: FAMILIES, sessions: SESSIONS, seed },
    ...{ csrf: false, credentials: LOGIN, deviations: [] },
  });
  const { store } = deployment.seams;
  const anc = ancFamily(FAMILIES) ?? '';
  const first = deployment.endpoints.split('+')[0] ?? '';
  const firstIp = deployment.endpoints.split('@')[1] ?? '';
  for (const mac of [VENDOR_MAC, ...[1, 2, 3].map((step) => macOf(SESSIONS - step))]) {
    await store.create(anc, { name: mac, macAddress: mac, policyName: POLICIES[1] });
  }
  const records = () =>
    OWNED.flatMap(([family]) =>
      [...store.list(family).pieces()].flatMap((piece) => piece.map((record) => ({ family, record }))),
    );
  const before = records();
  const foreign = new Set(before.map(({ record }) => record.id));
  const handed: Held[] = [];
  const takenAtMs = new Map<string, number>();
  let serial = 0;
  const app = createApp(deployment.seams, 'http');
  const { port, close } = await listen(app.fetch as Parameters<typeof listen>[0], { port: 0, host: '127.0.0.1' });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    pool: `${first}+${POOL_SIZE}@${firstIp}`,
    policy: POLICIES[0],
    /** Everything the store holds now. */
    records,
    /** Records that were held at the start. */
    before,
    /** Ids of records that are not of this run: those held at the start, and those of the colleague. */
    foreignIds: () => foreign,
    handed,
    /** Gives an id that was removed to a record of a colleague; nothing may be sent to it from then on. */
    async handOn(family: string, id: string) {
      // Two mutations of one answer hand it on once: the second would change the record of the first.
      if (handed.some((held) => held.family === family && held.record.id === id)) return;
      serial += 1;
      const record = await store.create(family, { ...colleagueFields(family, serial), id });
      handed.push({ family, record });
    },
    /** When records of the run were taken over, by id, monotonic milliseconds. */
    takenAtMs,
    /** Gives a record of the run a name of a colleague, or puts a record of a colleague in its place; nothing where it is not there. */
    async takeOver(family: string, id: string, how: 'renames' | 'makes anew') {
      if (
        foreign.has(id) ||
        takenAtMs.has(id) ||
        // What was handed on is a colleague's already, and must stay as it is.
        handed.some((held) => held.family === family && held.record.id === id) ||
        !records().some((held) => held.family === family && held.record.id === id)
      )
        return;
      serial += 1;
      if (how === 'makes anew') {
        await store.remove(family, id);
        await store.create(family, { ...colleagueFields(family, serial), id });
      } else await store.update(family, id, colleagueFields(family, serial));
      takenAtMs.set(id, performance.now());
    },
    /** Puts a record into the store, as a run before this one left it. */
    put: async (family: string, record: StoredRecord) => void (await store.create(family, record)),
    /** A record that a colleague of the operator makes now. */
    async colleague(family: string): Promise<Held | undefined> {
      const table = FAMILIES[family as keyof typeof FAMILIES];
      if (table === undefined || !hasOp(table, 'create')) return undefined;
      serial += 1;
      const record = await store.create(family, colleagueFields(family, serial));
      foreign.add(record.id);
      return { family, record };
    },
    close,
  };
}
/** The embedded deployment with its store laid open to the referee. */
export type WatchedDeployment = Awaited<ReturnType<typeof watchedDeployment>>;
