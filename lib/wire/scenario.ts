import { isSuccess } from './answer.ts';

/** Arrivals at most where they are not one constant rate: each is two stages of k6's schedule, and k6 reads them all before it starts. */
export const MOST_SCHEDULED = 250_000;

const US = 1e6;
/** k6 takes whole numbers of arrivals in a unit of time: in so long a one, a rate is exact to a millionth even over a second. */
const UNIT_US = 1e12;
/** An arrival that is short of a whole one by a billionth would wait for the next stage: each has a little more. */
const MARGIN = 1e-6;

export interface Stretch {
  readonly seconds: number;
  readonly ratePerSecond: number;
}

/** A schedule that is no constant rate: stretches one after the other, in each of them exactly its rate's number of arrivals. */
export interface Schedule {
  readonly stretches: readonly Stretch[];
}

/** A rounding error is no arrival. */
const arrivalsIn = (seconds: number, ratePerSecond: number) => Math.ceil(ratePerSecond * seconds - 1e-6);

export const scheduleSeconds = ({ stretches }: Schedule): number =>
  stretches.reduce((sum, { seconds }) => sum + seconds, 0);

/** Intended starts since the start of the schedule, whole microseconds, ascending and never equal; the same in k6 and in the record. */
export function scheduleDues({ stretches }: Schedule): Float64Array {
  const counts = stretches.map(({ seconds, ratePerSecond }) => arrivalsIn(seconds, ratePerSecond));
  const dues = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let [from, first] = [0, 0];
  for (const [at, { seconds, ratePerSecond }] of stretches.entries()) {
    const last = first + (counts[at] ?? 0);
    for (let place = first; place < last; place += 1)
      dues[place] = Math.floor((from + (place - first) / ratePerSecond) * US);
    [from, first] = [from + seconds, last];
  }
  for (let place = 1; place < dues.length; place += 1)
    dues[place] = Math.max(dues[place] ?? 0, (dues[place - 1] ?? 0) + 1);
  return dues;
}

/**
 * Stages that make k6 start an arrival at each of these moments: between two of them the rate
 * is one arrival in that time. Waiting inside an iteration would hold a connection for nothing.
 */
export function scheduleStages(dues: Float64Array, endSeconds: number) {
  const stages: { target: number; duration: string }[] = [];
  const hold = (target: number, us: number) => stages.push({ target, duration: '0s' }, { target, duration: `${us}us` });
  let [last, surplus] = [0, 0];
  for (const due of dues) {
    const gap = Math.max(1, due - last);
    const target = Math.ceil(((1 + MARGIN - surplus) * UNIT_US) / gap);
    surplus += (target * gap) / UNIT_US - 1;
    hold(target, gap);
    last += gap;
  }
  hold(0, Math.max(1, Math.ceil(endSeconds * US) - last));
  return { timeUnit: `${UNIT_US / US}s`, stages };
}

/** A part of the endpoints: `size` of them from number `offset` on, in the order `permutation(size, seed)`. */
export interface EndpointPart {
  readonly offset: number;
  readonly size: number;
  /** Apply and clear of one chain share it. */
  readonly seed: number;
}

/** What a scenario is told of its cell; the login, and what belongs to one machine, it is told apart from this. */
export interface ScenarioCell {
  readonly baseUrl: string;
  /** The address that its host is taken for. */
  readonly address?: string;
  readonly ratePerSecond: number;
  readonly durationSeconds: number;
  /** Set if arrivals are no constant rate. */
  readonly schedule?: Schedule;
  /** An unmeasured ramp-up from nothing to the rate before it, on the endpoints of the first `arrivals`. */
  readonly ramp?: { readonly seconds: number; readonly arrivals: number };
  /** Connections, one for each virtual user. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly policyName: string;
  /** First addresses where the endpoints are a range. */
  readonly pool: EndpointPart & { readonly firstMac?: string; readonly firstIp?: string };
  /** Fetch a CSRF token on every connection, and again when it is refused. */
  readonly csrf?: boolean;
  /** Names the run to whoever reads the target's log. */
  readonly userAgent: string;
  /** Mark some rows with the offset of the wall clock, where nobody watches the clock from outside. */
  readonly markClock?: boolean;
}

/** Environment variables of a scenario: the one table both sides read. */
export const SCENARIO_ENV = {
  /** `ScenarioCell` as JSON, or as base64url of that. */
  cell: 'ERS_LOAD_CELL',
  username: 'ERS_USERNAME',
  password: 'ERS_PASSWORD',
  /** PEM texts; empty if the client shows no certificate. */
  clientCertificate: 'ERS_LOAD_CLIENT_CERTIFICATE',
  clientKey: 'ERS_LOAD_CLIENT_KEY',
  /** Absolute path of a file with one `MAC[,IP]` a line; used instead of the first addresses. */
  poolFile: 'ERS_LOAD_POOL_FILE',
  /** SHA-256 of that file, in hexadecimal digits: a file that is another one is not used. */
  poolDigest: 'ERS_LOAD_POOL_SHA256',
} as const;

export type ScenarioParameter = keyof typeof SCENARIO_ENV;
export type ScenarioEnvironment = Readonly<Record<string, string | undefined>>;

export const TRANSACTION_NAME = 'anc';
export const TOKEN_NAME = 'csrf';

/** Tag and value of the rows that the ramp-up before the steady state makes. */
export const RAMP_TAG = { phase: 'ramp' } as const;

/** Between the ramp-up and the steady state: what the ramp-up started has to end, so that it takes no connection of the steady state. */
export const RAMP_PAUSE_MS = 1000;

/** Arrivals of a ramp-up from nothing to a rate within so many seconds; one more than there can be. */
export const rampArrivals = (ratePerSecond: number, seconds: number): number =>
  seconds === 0 ? 0 : Math.ceil((ratePerSecond * seconds) / 2) + 1;

export const METADATA = {
  /** Number of the iteration among the started ones. */
  seq: 'seq',
  /** Intended start, microseconds of the wall clock, if arrivals were even and none was dropped: it tells the start of the schedule. */
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

export const ANSWER_CODES = {
  ok: 'ok',
  alreadyAssociated: 'already-associated',
  notAssociated: 'not-associated',
  /** A page of HTML with a status of success: a login page or a gateway. */
  html: 'html',
  retryAfter: 'retry-after',
  other: 'other',
} as const;

type AnswerCode = (typeof ANSWER_CODES)[keyof typeof ANSWER_CODES];

/** Arrivals go on so long, in the record and in no figure: a generator held up at the end still starts those that were due. */
export const TAIL_MS = 100;

/** Rates come in tenths of an arrival a second; k6 takes whole numbers of arrivals in a unit of time. */
const TENTHS = 10;

export function k6Rate(ratePerSecond: number): { readonly rate: number; readonly timeUnit: string } {
  if (Number.isInteger(ratePerSecond)) return { rate: ratePerSecond, timeUnit: '1s' };
  return { rate: Math.round(ratePerSecond * TENTHS), timeUnit: `${TENTHS}s` };
}

/** Nanoseconds between two arrivals: k6 cuts the fraction, and so does the record. */
export const periodNs = (ratePerSecond: number): number =>
  Math.floor((1e9 * TENTHS) / Math.round(ratePerSecond * TENTHS));

const HTML = /\bhtml\b/i;
const ALREADY = /already (associated|assigned)/i;
const NOT = /not (associated|assigned)/i;

/** What a body holds, parsed only if it may be an error. */
function errorIn(body: string): unknown {
  try {
    return /ERSResponse|OperationResult/.test(body) ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

/** Code of an answer: which of the state errors it is is written in its text and nowhere else. */
export function answerCode(status: number, contentType: string, retryAfter: string, body: string): AnswerCode {
  if (HTML.test(contentType) && status >= 200 && status < 300) return ANSWER_CODES.html;
  if (isSuccess({ status, json: errorIn(body), body })) return ANSWER_CODES.ok;
  if (status === 429 || (status === 503 && retryAfter !== '')) return ANSWER_CODES.retryAfter;
  if (ALREADY.test(body)) return ANSWER_CODES.alreadyAssociated;
  if (NOT.test(body)) return ANSWER_CODES.notAssociated;
  return ANSWER_CODES.other;
}
