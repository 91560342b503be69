/** Environment variables through which a scenario gets its parameters: the one table both sides read. */
export const SCENARIO_ENV = {
  baseUrl: 'ERS_LOAD_BASE_URL',
  username: 'ERS_USERNAME',
  password: 'ERS_PASSWORD',
  /** PEM texts; empty if the client shows no certificate. */
  clientCertificate: 'ERS_LOAD_CLIENT_CERTIFICATE',
  clientKey: 'ERS_LOAD_CLIENT_KEY',
  ratePerSecond: 'ERS_LOAD_RATE',
  durationSeconds: 'ERS_LOAD_DURATION_SECONDS',
  /** The schedule as JSON where it is no constant rate; empty where it is. */
  schedule: 'ERS_LOAD_SCHEDULE',
  /** Seconds of the unmeasured ramp-up before; 0 for none. */
  rampSeconds: 'ERS_LOAD_RAMP_SECONDS',
  /** Endpoints set aside for the ramp-up: those of the first arrivals. */
  rampArrivals: 'ERS_LOAD_RAMP_ARRIVALS',
  connections: 'ERS_LOAD_CONNECTIONS',
  timeoutMs: 'ERS_LOAD_TIMEOUT_MS',
  policyName: 'ERS_LOAD_POLICY',
  poolOffset: 'ERS_LOAD_POOL_OFFSET',
  poolSize: 'ERS_LOAD_POOL_SIZE',
  poolFirstMac: 'ERS_LOAD_POOL_FIRST_MAC',
  poolFirstIp: 'ERS_LOAD_POOL_FIRST_IP',
  /** Absolute path of a file with one `MAC[,IP]` a line; used instead of the first addresses. */
  poolFile: 'ERS_LOAD_POOL_FILE',
  /** SHA-256 of that file, in hexadecimal digits: a file that is another one is not used. */
  poolDigest: 'ERS_LOAD_POOL_SHA256',
  permutationSeed: 'ERS_LOAD_SEED',
  /** One of `ORDERS`; affine where it is empty. */
  order: 'ERS_LOAD_ORDER',
  /** `1`: fetch a CSRF token on every connection. */
  csrf: 'ERS_LOAD_CSRF',
  /** `1`: a new connection for each transaction. */
  newConnections: 'ERS_LOAD_NEW_CONNECTIONS',
  userAgent: 'ERS_LOAD_USER_AGENT',
  /** Address to ask for before the start, which is answered when all k6 processes of the cell have asked; empty for none. */
  gate: 'ERS_LOAD_GATE',
  /** `1`: mark some rows with the offset of the wall clock, where nobody watches the clock from outside. */
  clock: 'ERS_LOAD_CLOCK',
} as const;

export type ScenarioParameter = keyof typeof SCENARIO_ENV;
export type ScenarioEnvironment = Readonly<Record<string, string | undefined>>;

/** Value of the `name` tag of the requests that are transactions. */
export const TRANSACTION_NAME = 'anc';
/** Value of the `name` tag of the requests that fetch a CSRF token. */
export const TOKEN_NAME = 'csrf';

/** Value of the `name` tag of the request that waits for the start. */
export const GATE_NAME = 'gate';

/** Tag and value of the rows that the ramp-up before the steady state makes. */
export const RAMP_TAG = { phase: 'ramp' } as const;

/** Between the ramp-up and the steady state: what the ramp-up started has to end, so that it takes no connection of the steady state. */
export const RAMP_PAUSE_MS = 1000;

/** Arrivals of a ramp-up from nothing to a rate within so many seconds; one more than there can be. */
export function rampArrivals(ratePerSecond: number, seconds: number): number {
  return seconds === 0 ? 0 : Math.ceil((ratePerSecond * seconds) / 2) + 1;
}

/** Keys of the metadata that a scenario puts on the rows of an iteration. */
export const METADATA = {
  /** Number of the iteration among the started ones. */
  seq: 'seq',
  /** Intended start in microseconds of the wall clock, were arrivals even and none dropped before it: it tells the start of the schedule. */
  due: 'due',
  /** Microseconds the iteration spent before its transaction, on fetching a token. */
  wait: 'wait',
  /** Short code of what the answer said, on the row that ends the iteration. */
  code: 'code',
  /** Status and words of a refusal, encoded, on the row that ends the iteration; empty for a success. */
  said: 'said',
  /** Wall clock minus monotonic clock of k6, microseconds, on some rows. */
  clock: 'clock',
} as const;

/** Codes a scenario gives to an answer whose status alone does not tell its kind. */
export const ANSWER_CODES = {
  /** Status of success. */
  ok: 'ok',
  /** The endpoint already holds the policy. */
  alreadyAssociated: 'already-associated',
  /** The endpoint holds no policy. */
  notAssociated: 'not-associated',
  /** A page of HTML with a status of success: a login page or a gateway. */
  html: 'html',
  /** A refusal that names when to come back. */
  retryAfter: 'retry-after',
  /** Anything else that is not a success. */
  other: 'other',
} as const;

export type AnswerCode = (typeof ANSWER_CODES)[keyof typeof ANSWER_CODES];

/**
 * How long arrivals go on after the duration, so that a generator that is held up at the very end still starts those due before it.
 * They are in the record and in no figure.
 */
export const TAIL_MS = 100;

/** Rates come in tenths of an arrival a second; k6 takes whole numbers of arrivals in a unit of time. */
const TENTHS = 10;

/** A rate as k6 takes it. */
export function k6Rate(ratePerSecond: number): { readonly rate: number; readonly timeUnit: string } {
  if (Number.isInteger(ratePerSecond)) return { rate: ratePerSecond, timeUnit: '1s' };
  return { rate: Math.round(ratePerSecond * TENTHS), timeUnit: `${TENTHS}s` };
}

/** A rate that k6 can offer exactly: from 1 a second, in tenths. */
export function isRate(ratePerSecond: number): boolean {
  return ratePerSecond >= 1 && Math.abs(ratePerSecond * TENTHS - Math.round(ratePerSecond * TENTHS)) < 1e-6;
}

/** Nanoseconds between two arrivals: k6 cuts the fraction, and so does the record. */
export function periodNs(ratePerSecond: number): number {
  return Math.floor((1e9 * TENTHS) / Math.round(ratePerSecond * TENTHS));
}

const HTML = /\bhtml\b/i;
const ALREADY = /already (associated|assigned)/i;
const NOT = /not (associated|assigned)/i;

/** Code of an answer: which of the state errors it is is written in its text and nowhere else. */
export function answerCode(status: number, contentType: string, retryAfter: string, body: string): AnswerCode {
  if (status >= 200 && status < 300)
    return contentType !== '' && HTML.test(contentType) ? ANSWER_CODES.html : ANSWER_CODES.ok;
  if (status === 429 || (status === 503 && retryAfter !== '')) return ANSWER_CODES.retryAfter;
  if (ALREADY.test(body)) return ANSWER_CODES.alreadyAssociated;
  if (NOT.test(body)) return ANSWER_CODES.notAssociated;
  return ANSWER_CODES.other;
}
