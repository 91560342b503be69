import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http, { type RefinedResponse } from 'k6/http';
import type { Options } from 'k6/options';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { ancFamily, ancFields } from '../../lib/wire/anc.ts';
import { buildRequest, type RequestSpec } from '../../lib/wire/request.ts';
import { ANSWER_CODES, answerCode, METADATA, periodNs, TAIL_MS, TRANSACTION_NAME } from '../../lib/wire/scenario.ts';
import { connectionToken } from './csrf.ts';
import { readParameters } from './parameters.ts';
import { targets } from './pool.ts';

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
const common = { ...authorization, ...(parameters.userAgent === '' ? {} : { 'User-Agent': parameters.userAgent }) };

/** Open model: arrivals at a constant rate, as many virtual users as connections, none added while it runs. */
export const ancOptions: Options = {
  scenarios: {
    anc: {
      executor: 'constant-arrival-rate',
      rate: parameters.ratePerSecond,
      timeUnit: '1s',
      duration: `${parameters.durationSeconds * 1000 + TAIL_MS}ms`,
      preAllocatedVUs: parameters.connections,
      maxVUs: parameters.connections,
      gracefulStop: `${Math.ceil(parameters.timeoutMs / 1000) + GRACE_SECONDS}s`,
    },
  },
  // A jar that is emptied after each iteration would cost the target a new session for each request.
  noCookiesReset: true,
  noConnectionReuse: parameters.newConnections,
};

function send(request: RequestSpec, token: string | null): RefinedResponse<'text'> {
  const headers = { ...request.headers, ...common, ...(token === null ? {} : { 'X-CSRF-TOKEN': token }) };
  return http.request(request.method, parameters.baseUrl + request.path, request.body ?? null, {
    headers,
    timeout: parameters.timeoutMs,
    redirects: 0,
    responseType: 'text',
    // One constant name, else every address would be a time series of its own.
    tags: { name: TRANSACTION_NAME },
  });
}

function codeOf(response: RefinedResponse<'text'>): string {
  if (response.status === 0) return ANSWER_CODES.other;
  const header = (name: string) => response.headers[name] ?? '';
  return answerCode(response.status, header('Content-Type'), header('Retry-After'), response.body ?? '');
}

/** The iteration of an ANC operation: one transaction on the endpoint that is next, marked with its place in the schedule. */
export function ancIteration(operation: AncOperationName): () => void {
  const targetOf = targets(parameters);
  const token = connectionToken(parameters, table, family ?? '', common);
  const { op } = ANC_OPERATIONS[operation];
  const periodUs = periodNs(parameters.ratePerSecond) / 1000;
  return () => {
    const seq = exec.scenario.iterationInTest;
    const { metadata } = exec.vu.metrics;
    metadata[METADATA.seq] = String(seq);
    metadata[METADATA.due] = String(Math.round(exec.scenario.startTime * 1000 + seq * periodUs));
    metadata[METADATA.code] = '';
    const held = token.get();
    metadata[METADATA.wait] = String(held.waitUs);
    const fields = ancFields(operation, targetOf(seq));
    const response = send(buildRequest(table, family ?? '', op, { fields }), held.value);
    if (response.status === 403) token.forget();
    metadata[METADATA.code] = codeOf(response);
  };
}
