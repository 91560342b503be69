import crypto from 'k6/crypto';
import { SharedArray } from 'k6/data';
import encoding from 'k6/encoding';
import http from 'k6/http';
import type { AncItemName } from '../../lib/contract/anc.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { AncTarget } from '../../lib/wire/anc.ts';
import { ipAt, macsFrom, permutation } from '../../lib/wire/endpoint.ts';
import { buildRequest } from '../../lib/wire/request.ts';
import {
  SCENARIO_ENV,
  type ScenarioCell,
  type ScenarioEnvironment,
  type ScenarioParameter,
  TOKEN_NAME,
} from '../../lib/wire/scenario.ts';

/** What a scenario is told by its environment. Throws if it is not told its cell, so that k6 ends with its code for a script fault. */
export function readParameters(env: ScenarioEnvironment) {
  const text = (name: ScenarioParameter) => env[SCENARIO_ENV[name]] ?? '';
  const told = text('cell');
  const cell = JSON.parse(told.startsWith('{') ? told : encoding.b64decode(told, 'rawurl', 's')) as ScenarioCell;
  const { ratePerSecond, durationSeconds, connections, timeoutMs } = cell;
  for (const [name, value] of Object.entries({ ratePerSecond, durationSeconds, connections, timeoutMs }))
    if (!(value >= 1)) throw new Error(`${name} of ${SCENARIO_ENV.cell} has to be at least 1`);
  return {
    ...cell,
    baseUrl: cell.baseUrl.replace(/\/+$/, ''),
    username: text('username'),
    password: text('password'),
    clientCertificate: text('clientKey') === '' ? null : { cert: text('clientCertificate'), key: text('clientKey') },
    /** The ramp-up before the steady state; 0 seconds for none. */
    ramp: cell.ramp ?? { seconds: 0, arrivals: 0 },
    pool: { ...cell.pool, file: text('poolFile'), digest: text('poolDigest') },
  };
}
type Parameters = ReturnType<typeof readParameters>;

/** Lines of the pool's file; one copy for all connections. For the init stage only. Throws if it is not the file that was checked. */
function linesOf({ file, digest }: Parameters['pool']): readonly string[] {
  return new SharedArray('pool', () => {
    const text = open(file);
    if (crypto.sha256(text, 'hex') !== digest) throw new Error('the file of endpoints is not the one that was checked');
    return text === '' ? [] : text.split('\n');
  });
}

/** The endpoint and policy of each transaction: none comes twice until all of the part were used. */
export function targets(parameters: Parameters, items: readonly AncItemName[]): (seq: number) => AncTarget {
  const { pool, policyName } = parameters;
  const order = permutation(pool.size, pool.seed);
  if (pool.file === '') {
    const { firstMac = '', firstIp = '' } = pool;
    const macOf = macsFrom(firstMac);
    const byIp = items.includes('ipAddress');
    return (seq) => {
      const index = pool.offset + order(seq);
      const macAddress = macOf(index);
      return byIp ? { macAddress, ipAddress: ipAt(firstIp, index), policyName } : { macAddress, policyName };
    };
  }
  const lines = linesOf(pool);
  if (lines.length < pool.offset + pool.size) throw new Error(`${pool.file} has ${lines.length} endpoints`);
  return (seq) => {
    const [macAddress = '', ipAddress = ''] = (lines[pool.offset + order(seq)] ?? '').split(',');
    // Without the address that its operation needs, the iteration throws and the cell is invalid.
    const ip = ipAddress.trim() === '' ? {} : { ipAddress: ipAddress.trim() };
    return { macAddress: macAddress.trim(), ...ip, policyName };
  };
}

/** The CSRF token of one connection: each has its own copy of this module. A list is the read that accepts the header. */
export function connectionToken(
  parameters: Parameters,
  table: FamilyTable,
  family: string,
  common: Readonly<Record<string, string>>,
) {
  let value: string | null = null;
  const request = buildRequest(table, family, 'list', { list: { size: 1 }, headers: { csrfToken: 'fetch' } });
  return {
    /** The token, fetched when there is none, and the microseconds that took. Null if none is asked for or given. */
    get() {
      if (parameters.csrf !== true || value !== null) return { value, waitUs: 0 };
      const response = http.request(request.method, parameters.baseUrl + request.path, null, {
        headers: { ...request.headers, ...common },
        timeout: parameters.timeoutMs,
        redirects: 0,
        tags: { name: TOKEN_NAME },
      });
      value = response.headers['X-Csrf-Token'] ?? null;
      return { value, waitUs: Math.round((response.timings.duration + response.timings.blocked) * 1000) };
    },
    forget() {
      value = null;
    },
  };
}
