import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http, { type RefinedResponse } from 'k6/http';
import type { Options } from 'k6/options';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { ancFamily, ancRequests } from '../../lib/wire/anc.ts';
import { saidWord } from '../../lib/wire/said.ts';
import {
  ANSWER_CODES,
  answerCode,
  k6Rate,
  METADATA,
  periodNs,
  RAMP_PAUSE_MS,
  RAMP_TAG,
  type Schedule,
  scheduleDues,
  scheduleSeconds,
  scheduleStages,
  TAIL_MS,
  TRANSACTION_NAME,
} from '../../lib/wire/scenario.ts';
import { connectionToken, readParameters, targets } from './parameters.ts';

/** Seconds k6 waits for started requests beyond their timeout, so that each of them is in the record. */
const GRACE_SECONDS = 5;

const parameters = readParameters(__ENV);
const table: FamilyTable = FAMILIES;
const family = ancFamily(table);
if (family === undefined) throw new Error('no family of the table has an apply operation');

const authorization: Readonly<Record<string, string>> =
  parameters.username === ''
    ? {}
    : { Authorization: `Basic ${encoding.b64encode(`${parameters.username}:${parameters.password}`)}` };
const common = {
  ...authorization,
  // k6 would unpack whatever comes: a small answer could become gigabytes.
  'Accept-Encoding': 'identity',
  'User-Agent': parameters.userAgent,
};

const { ramp, address } = parameters;
const offered = k6Rate(parameters.ratePerSecond);
const connections = { preAllocatedVUs: parameters.connections, maxVUs: parameters.connections };

/** The ramp-up to the rate, a scenario of its own: the schedule of the steady state begins with its own first arrival. */
const rampUp: NonNullable<Options['scenarios']> = {
  ramp: {
    executor: 'ramping-arrival-rate',
    exec: 'ramp',
    tags: RAMP_TAG,
    startRate: 0,
    timeUnit: offered.timeUnit,
    stages: [{ target: offered.rate, duration: `${ramp.seconds * 1000}ms` }],
    gracefulStop: `${RAMP_PAUSE_MS}ms`,
    ...connections,
  },
};

const steadyStart = {
  startTime: ramp.seconds > 0 ? `${ramp.seconds * 1000 + RAMP_PAUSE_MS}ms` : '0s',
  ...connections,
  gracefulStop: `${Math.ceil(parameters.timeoutMs / 1000) + GRACE_SECONDS}s`,
};

/** Stages of a schedule. Every connection reads the program, and only the first reading is asked for the schedule. */
function stagesOf(schedule: Schedule) {
  if (__VU !== 0) return { timeUnit: '1s', stages: [{ target: 1, duration: '1s' }] };
  const { timeUnit, stages } = scheduleStages(scheduleDues(schedule), scheduleSeconds(schedule));
  return { timeUnit, stages: [...stages] };
}

const { schedule } = parameters;

/** The steady state: at a constant rate, or by a schedule of its own. */
const steady: NonNullable<Options['scenarios']> = {
  anc:
    schedule === undefined
      ? {
          executor: 'constant-arrival-rate',
          ...offered,
          duration: `${parameters.durationSeconds * 1000 + TAIL_MS}ms`,
          ...steadyStart,
        }
      : { executor: 'ramping-arrival-rate', startRate: 0, ...stagesOf(schedule), ...steadyStart },
};

const hostOf = (url: string): string => url.replace(/^\w+:\/\/(\[[^\]]*\]|[^/:]*).*$/, '$1');

/** Open model: arrivals on a schedule of their own, as many virtual users as connections, none added while it runs. */
export const ancOptions: Options = {
  scenarios: {
    ...(ramp.seconds > 0 ? rampUp : {}),
    ...steady,
  },
  // k6 loads none of a certificate that names no host.
  ...(parameters.clientCertificate === null
    ? {}
    : { tlsAuth: [{ ...parameters.clientCertificate, domains: [hostOf(parameters.baseUrl)] }] }),
  // What was prepared and is read back is on that machine, and another address may be of another one.
  ...(address === undefined ? {} : { hosts: { [hostOf(parameters.baseUrl)]: address } }),
  // A jar that is emptied after each iteration would cost the target a new session for each request.
  noCookiesReset: true,
};

/** Each connection looks at the clock every so many arrivals: a look costs an object, and the clock does not step often. */
const CLOCK_EVERY = 16;
let sinceClock = 0;

/** Marks the rows of some iterations with the wall clock minus the monotonic clock, microseconds. */
function markClock(metadata: Metadata): void {
  if (sinceClock === 0) {
    metadata[METADATA.clock] = String(Math.round((Date.now() - exec.instance.currentTestRunDuration) * 1000));
  } else if (sinceClock === 1) metadata[METADATA.clock] = '';
  sinceClock = (sinceClock + 1) % CLOCK_EVERY;
}

const params = {
  timeout: parameters.timeoutMs,
  redirects: 0,
  responseType: 'text' as const,
  // One constant name, else every address would be a time series of its own.
  tags: { name: TRANSACTION_NAME },
};

function codeOf(response: RefinedResponse<'text'>): string {
  const { status } = response;
  if (status === 0) return ANSWER_CODES.other;
  const { headers } = response;
  // Each look makes a copy.
  const retryAfter = status < 300 ? '' : (headers['Retry-After'] ?? '');
  return answerCode(status, headers['Content-Type'] ?? '', retryAfter, response.body ?? '');
}

type Scenario = typeof exec.scenario;
type Metadata = typeof exec.vu.metrics.metadata;

/** One transaction on the next endpoint, marked with its place. Constants are made once: each look at `exec.scenario` makes an object. */
export function ancIterations(operation: AncOperationName) {
  const targetOf = targets(parameters, ANC_OPERATIONS[operation].items);
  const token = connectionToken(parameters, table, family ?? '', common);
  const { method, path, headers: own, bodyOf } = ancRequests(table, family ?? '', operation);
  const url = parameters.baseUrl + path;
  const headers = { ...own, ...common };
  const plain = { ...params, headers };
  const periodUs = periodNs(parameters.ratePerSecond) / 1000;
  let scenario: Scenario | undefined;
  let metadata: Metadata = {};
  let startUs = 0;
  const transact = (seq: number, marks: Metadata) => {
    const held = token.get();
    marks[METADATA.wait] = String(held.waitUs);
    const given = held.value === null ? plain : { ...params, headers: { ...headers, 'X-CSRF-TOKEN': held.value } };
    const response = http.request(method, url, bodyOf(targetOf(seq)), given);
    if (response.status === 403) token.forget();
    const code = codeOf(response);
    marks[METADATA.code] = code;
    const { status, body } = response;
    // Each look at the headers makes a copy, and a success has nothing to say.
    marks[METADATA.said] =
      code === ANSWER_CODES.ok ? '' : saidWord(status, body ?? '', response.headers['Retry-After']);
  };
  const measured = () => {
    if (scenario === undefined) {
      scenario = exec.scenario;
      metadata = exec.vu.metrics.metadata;
      startUs = scenario.startTime * 1000;
    }
    const seq = scenario.iterationInTest;
    metadata[METADATA.seq] = String(seq);
    metadata[METADATA.due] = String(Math.round(startUs + seq * periodUs));
    metadata[METADATA.code] = '';
    metadata[METADATA.said] = '';
    if (parameters.markClock === true) markClock(metadata);
    transact(ramp.arrivals + seq, metadata);
  };
  return {
    measured,
    /** Of the ramp-up before it: on endpoints of its own, and without a place in the schedule. */
    ramp() {
      const marks = exec.vu.metrics.metadata;
      const seq = exec.scenario.iterationInTest;
      marks[METADATA.seq] = String(seq);
      marks[METADATA.code] = '';
      marks[METADATA.said] = '';
      transact(seq, marks);
    },
  };
}
