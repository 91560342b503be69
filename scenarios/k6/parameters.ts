import type { Schedule } from '../../lib/wire/arrivals.ts';
import { ORDERS } from '../../lib/wire/endpoint.ts';
import { SCENARIO_ENV, type ScenarioEnvironment, type ScenarioParameter } from '../../lib/wire/scenario.ts';

/** What a scenario is told, read from its environment and checked. Throws where a number is missing or not positive, so that k6 ends with its code for a script fault. */
export function readParameters(env: ScenarioEnvironment) {
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
    /** The schedule of the steady state where it is no constant rate. */
    schedule: text('schedule') === '' ? null : (JSON.parse(text('schedule')) as Schedule),
    /** The ramp-up before the steady state; 0 seconds for none. */
    ramp: { seconds: number('rampSeconds', 0), arrivals: number('rampArrivals', 0) },
    connections: number('connections', 1),
    timeoutMs: number('timeoutMs', 1),
    policyName: text('policyName'),
    csrf: text('csrf') === '1',
    newConnections: text('newConnections') === '1',
    userAgent: text('userAgent'),
    /** Mark some rows with the offset of the wall clock. */
    clock: text('clock') === '1',
    /** Where to wait for the other k6 processes of the cell; empty for nowhere. */
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
export type Parameters = ReturnType<typeof readParameters>;
