import { defined } from '../../lib/defined.ts';
import { type CellFacts, OUTCOME } from '../../lib/records/load/load.ts';
import type { FailureKind } from '../../lib/records/load/parts.ts';
import { messageShape, type Said } from '../../lib/wire/said.ts';
import { ANSWER_CODES } from '../../lib/wire/scenario.ts';

/** k6's code for a request that ran into its timeout. */
const REQUEST_TIMEOUT = 1050;
/** The outcome is kept in a byte. */
const MAX_KINDS = 200;

/** How a transaction ended. `code` is what its scenario made of the answer; absent if the iteration did not end. */
export interface Ending {
  readonly status: number;
  readonly errorCode: number;
  readonly code: string | undefined;
  /** What the target said; absent if it gave no answer, or said too many other things before. */
  readonly said?: Said | undefined;
}

/** Kind of a failure; null for a success. A 2xx whose iteration did not end is no success. */
export function failureKind({ status, errorCode, code }: Ending): FailureKind | null {
  if (status === 0) return errorCode === REQUEST_TIMEOUT ? 'timeout' : 'transport';
  if (status >= 200 && status < 300) return code === ANSWER_CODES.ok ? null : 'unexpected-status';
  if (status === 401 || status === 403) return 'auth';
  if (code === ANSWER_CODES.retryAfter || status === 429) return 'throttled';
  if (code === ANSWER_CODES.alreadyAssociated || code === ANSWER_CODES.notAssociated) return 'state';
  if (status >= 500) return 'server-error';
  return status >= 400 ? 'client-error' : 'unexpected-status';
}

export function createFailures(transportExample?: string) {
  const classes = new Map<string, number>();
  const counted: CellFacts['failures'] = [];
  const countOne = (index: number): number => {
    const entry = counted[index];
    if (entry !== undefined) entry.count += 1;
    return OUTCOME.firstFailure + index;
  };
  const add = (kind: FailureKind, status: number, errorCode: string, example?: string, said?: Said): number => {
    const { body, retryAfter } = said ?? {};
    const key = `${kind}|${status}|${errorCode}|${body}|${retryAfter !== undefined}|${messageShape(example ?? '')}`;
    let index = classes.get(key);
    if (index === undefined) {
      index = Math.min(counted.length, MAX_KINDS - 1);
      classes.set(key, index);
      if (index === counted.length) {
        counted.push({ kind, status, errorCode, count: 0, ...defined({ example, body, retryAfter }) });
      }
    }
    return countOne(index);
  };
  return {
    counted,
    /** Outcome number of an ending. A refusal that was on its way when k6 was stopped is one of its kind: its words were not read. */
    outcome(ending: Ending): number {
      const kind = failureKind(ending);
      if (kind === null) return OUTCOME.success;
      const { status, errorCode, code = 'unfinished', said } = ending;
      if (ending.code === undefined && status > 0) {
        const alike = counted.findIndex((entry) => entry.kind === kind && entry.status === status);
        if (alike >= 0) return countOne(alike);
      }
      const example = status === 0 ? transportExample : said?.says || code;
      return add(kind, status, errorCode === 0 ? code : String(errorCode), example, said);
    },
    unrecorded: (): number => add('transport', 0, 'unrecorded', 'started, and nothing recorded of it'),
  };
}
