import encoding from 'k6/encoding';
import {
  SCENARIO_ENV,
  type ScenarioCell,
  type ScenarioEnvironment,
  type ScenarioParameter,
} from '../../lib/wire/scenario.ts';

/** What a scenario is told, read from its environment. Throws where it is not told its cell, so that k6 ends with its code for a script fault. */
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
    /** Where to wait for the other k6 processes of the cell; empty for nowhere. */
    gate: text('gate'),
    pool: { ...cell.pool, file: text('poolFile'), digest: text('poolDigest') },
  };
}
export type Parameters = ReturnType<typeof readParameters>;
