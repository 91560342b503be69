import { setTimeout } from 'node:timers/promises';
import type { FamilyTable } from '../lib/contract/types.ts';
import { seededRandom } from '../lib/random.ts';
import { ipOf, macOf } from '../lib/wire/endpoint.ts';
import { type Credentials, createCsrfTokens, createGate } from './access/gate.ts';
import { createPresent } from './answers/present.ts';
import { createResponder } from './answers/responder.ts';
import { createCodec } from './codec/codec.ts';
import type { Deviation } from './deviation.ts';
import { DIALECT } from './dialect.ts';
import { createFront } from './front.ts';
import { createAnc, createBulk } from './handlers/special.ts';
import { routesOf } from './http/wire.ts';
import { createPager, createQuery } from './query/query.ts';
import { createRules } from './rules.ts';
import { type Fields, type Kit, type Seams, wrapSeams } from './seams.ts';
import { seedRows } from './seeds/seed-rows.ts';
import { allOf, createStore } from './store/store.ts';

/** Tells the MAC address of a live session by its IP address; memory grows with their number, as it does on a real deployment. */
export function sessionTable(count: number): (ip: string) => string | undefined {
  const macs = new Map(Array.from({ length: count }, (_, index) => [ipOf(index), macOf(index)]));
  return (ip) => macs.get(ip);
}

/** Version 4 UUIDs from a stream of random numbers: the same stream gives the same ids. */
export function randomIds(random: () => number): () => string {
  const word = () => Math.floor(random() * 2 ** 32);
  const hex = (value: number, digits = 4) => value.toString(16).padStart(digits, '0');
  return () => {
    const [a, b, c, d] = [word(), word(), word(), word()];
    const [version, variant] = [(b & 0x0fff) | 0x4000, (c & 0x3fff) | 0x8000];
    return [hex(a, 8), hex(b >>> 16), hex(version), hex(variant), hex(c >>> 16) + hex(d, 8)].join('-');
  };
}

/** Names of the policies that the deployment knows: none of them shuts a port down. */
export const POLICIES = ['HARNESS_QUARANTINE', 'HARNESS_MONITOR'] as const;

export interface DeploymentOptions {
  readonly table: FamilyTable;
  readonly sessions: number;
  readonly seed: number;
  readonly csrf: boolean;
  readonly credentials: Credentials;
  /** Rules of personas, variations, defects, faults and null targets, innermost first. */
  readonly deviations: readonly Deviation[];
}

const wait = (ms: number) => setTimeout<void>(ms);

function baseSeams(options: DeploymentOptions, newId: () => string): Seams {
  const { table, credentials } = options;
  const seams = { dialect: { ...DIALECT, csrf: options.csrf } } as Seams;
  const tokens = createCsrfTokens(() => performance.now());
  seams.store = createStore(table, seams, newId);
  seams.lookup = {
    byId: (name, id) => seams.store.get(name, id),
    byName: (name, value) => allOf(seams.store.list(name)).find((record) => record['name'] === value),
  };
  seams.query = createQuery(table, seams);
  seams.pager = createPager(seams);
  seams.codec = createCodec(table, seams);
  seams.rules = createRules(table, seams);
  seams.present = createPresent(table);
  seams.responder = createResponder(seams, tokens);
  seams.anc = createAnc(table, seams, sessionTable(options.sessions), POLICIES);
  seams.bulk = createBulk(table, seams, wait);
  seams.gate = createGate(credentials, tokens, seams);
  seams.front = createFront(table, seams);
  seams.routing = { routes: routesOf(table) };
  return seams;
}

/** Builds a deployment in memory, without a socket: seeds it, and then puts the deviations around its seams. */
export function createDeployment(options: DeploymentOptions) {
  const { table } = options;
  const random = seededRandom(options.seed);
  const newId = randomIds(random);
  const seams = baseSeams(options, newId);
  for (const [name, family] of Object.entries(table)) {
    const rows = options.deviations.reduce<readonly Fields[]>(
      (given, { seeds }) => seeds?.(name, given, { table, seams }) ?? given,
      seedRows(family, { newId, policies: POLICIES }),
    );
    for (const row of rows) void seams.store.create(name, row);
  }
  const { list } = seams.store;
  /** Every record as it is stored, whatever the deviations show: `family/id` → its members as JSON. */
  const records = (): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (const name of Object.keys(table).filter((family) => table[family]?.viewOf === undefined))
      for (const record of allOf(list(name))) found.set(`${name}/${record.id}`, JSON.stringify(record));
    return found;
  };
  const kit: Kit = { table, seams, random: seededRandom(options.seed + 1), wait };
  for (const { install } of options.deviations) {
    for (const wraps of [install(kit)].flat()) {
      wrapSeams(seams, wraps);
      // An index would answer for a filter or a store that no longer does what the index says.
      if (wraps.query !== undefined || wraps.store !== undefined)
        wrapSeams(seams, { query: () => ({ shortcut: () => undefined }) });
    }
  }
  let requests = 0;
  const { handle } = seams.front;
  seams.front = {
    handle: (call) => {
      requests += 1;
      return handle(call);
    },
  };
  // In the syntax of --endpoints: first MAC + count @ first IP.
  const endpoints = `${macOf(0)}+${options.sessions}@${ipOf(0)}`;
  return { seams, endpoints, requests: () => requests, records };
}
