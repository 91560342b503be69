import type { Schedule } from '../../lib/wire/arrivals.ts';
import { ORDERS, type Order } from '../../lib/wire/endpoint.ts';
import { SCENARIO_ENV, type ScenarioEnvironment, type ScenarioParameter } from '../../lib/wire/scenario.ts';

/** What a scenario is told, read from its environment. */
export interface Parameters {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly clientCertificate: { readonly cert: string; readonly key: string } | null;
  readonly ratePerSecond: number;
  readonly durationSeconds: number;
  /** The schedule of the steady state where it is no constant rate. */
  readonly schedule: Schedule | null;
  /** The ramp-up before the steady state; 0 seconds for none. */
  readonly ramp: { readonly seconds: number; readonly arrivals: number };
  readonly connections: number;
  readonly timeoutMs: number;
  readonly policyName: string;
  readonly csrf: boolean;
  readonly newConnections: boolean;
  readonly userAgent: string;
  /** Mark some rows with the offset of the wall clock. */
  readonly clock: boolean;
  /** Where to wait for the other k6 processes of the cell; empty for nowhere. */
  readonly gate: string;
  readonly pool: {
    readonly file: string;
    readonly digest: string;
    readonly firstMac: string;
    readonly firstIp: string;
    readonly offset: number;
    readonly size: number;
    readonly seed: number;
    readonly order: Order;
  };
}

/** Reads and checks the environment. Throws where a number is missing or not positive, so that k6 ends with its code for a script fault. */
export function readParameters(env: ScenarioEnvironment): Parameters {
  const text = (name: ScenarioParameter) => env[SCENARIO_ENV[name]] ?? '';
  const number = (name: ScenarioParameter, least: number) => {
    const value = Number(text(name));
    if (text(name) === '' || !(value >= least)) throw new Error(`${SCENARIO_ENV[name]} has to be at least ${least}`);
    return value;
  };
  return {
    baseUrl: text('baseUrl').replace(/\/+$/, ''),
    username: text('username'),
    password: text('password'),
    clientCertificate: text('clientKey') === '' ? null : { cert: text('clientCertificate'), key: text('clientKey') },
    ratePerSecond: number('ratePerSecond', 1),
    durationSeconds: number('durationSeconds', 1),
    schedule: text('schedule') === '' ? null : (JSON.parse(text('schedule')) as Schedule),
    ramp: { seconds: number('rampSeconds', 0), arrivals: number('rampArrivals', 0) },
    connections: number('connections', 1),
    timeoutMs: number('timeoutMs', 1),
    policyName: text('policyName'),
    csrf: text('csrf') === '1',
    newConnections: text('newConnections') === '1',
    userAgent: text('userAgent'),
    clock: text('clock') === '1',
    gate: text('gate'),
    pool: {
      file: text('poolFile'),
      digest: text('poolDigest'),
      firstMac: text('poolFirstMac'),
      firstIp: text('poolFirstIp'),
      offset: number('poolOffset', 0),
      size: number('poolSize', 1),
      seed: number('permutationSeed', 0),
      order: ORDERS.find((order) => order === text('order')) ?? 'affine',
    },
  };
}
