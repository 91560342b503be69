import type * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { DID_NOT_HOLD, SAME_REFUSAL } from '../../lib/records/vocabulary.ts';
import { answerWords } from '../../lib/said.ts';
import type { RiskSpec } from './spec.ts';

export interface EndingCounts {
  readonly ended: number;
  /** Arrivals so far that were dropped or failed; absent if nobody counts them. */
  readonly unserved?: number;
  readonly unauthorized: number;
  readonly forbidden: number;
  readonly serverErrors: number;
  readonly refused: number;
  /** Answers from the first one on that are one and the same refusal, with its words; absent from the first other answer on. */
  readonly alike?: { readonly count: number; readonly status: number; readonly says: string };
}

/** When a cell is stopped to spare the target; an account is suspended after a few refused logins. */
export interface AbortLimits {
  /** Answers 403 that stop the cell: one for each connection whose token ran out is none too many. */
  readonly forbidden: number;
  readonly serverErrorShare: number;
  readonly refusedShare: number;
  /** First answers that are one and the same refusal, which end the cell: its operation is refused at any rate. */
  readonly alike: number;
  /** p99 of service time that no second of the window may exceed in a row, milliseconds. */
  readonly p99Ms?: number;
  /** Ends a cell that is to hold its rate so long after the first arrival that was not served, from `fromMs` on. */
  readonly short?: { readonly fromMs: number; readonly lastsMs: number };
}

export type Stop = NonNullable<CellFacts['stopped']>;

export const DEFAULT_ABORT = {
  forbidden: 3,
  serverErrorShare: 0.5,
  refusedShare: 0.5,
  alike: 50,
} as const satisfies AbortLimits;

export function abortLimits({ abortErrorPercent, abortP99Ms }: z.output<typeof RiskSpec>): AbortLimits {
  return { ...DEFAULT_ABORT, serverErrorShare: abortErrorPercent / 100, ...defined({ p99Ms: abortP99Ms }) };
}

/** How long a share has to last, and the fewest transactions it is a share of. */
const WINDOW_MS = 5000;
const LEAST_ENDED = 20;

interface Look {
  readonly atMs: number;
  readonly counts: EndingCounts;
  readonly p99Ms: number | null;
}

function shareRule(first: Look, last: Look, limits: AbortLimits): Stop | undefined {
  const ended = last.counts.ended - first.counts.ended;
  if (ended < LEAST_ENDED) return undefined;
  const over = (rule: string, key: 'serverErrors' | 'refused', limit: number, words: string): Stop | undefined => {
    const share = (last.counts[key] - first.counts[key]) / ended;
    const text = `${Math.round(share * 100)} % of ${ended} transactions in ${WINDOW_MS / 1000} s ${words}`;
    return share > limit ? { rule, text } : undefined;
  };
  return (
    over('server-errors', 'serverErrors', limits.serverErrorShare, 'were answered 5xx') ??
    over('refused-connections', 'refused', limits.refusedShare, 'got no connection')
  );
}

/** Looks whether a cell has shown for long enough that its rate does not hold. */
function shortRule(short: AbortLimits['short']) {
  let [beganMs, usual, sinceMs]: (number | undefined)[] = [];
  return (atMs: number, { unserved = 0 }: EndingCounts): Stop | undefined => {
    if (short === undefined) return undefined;
    beganMs ??= atMs;
    if (atMs - beganMs < short.fromMs) return undefined;
    usual ??= unserved;
    if (unserved > usual) sinceMs ??= atMs;
    if (sinceMs === undefined || atMs - sinceMs < short.lastsMs) return undefined;
    return { rule: DID_NOT_HOLD, text: `arrivals were not served for ${short.lastsMs / 1000} s` };
  };
}

/** Watches one cell: told of new counts, and of the p99 of each second, it gives the reason to stop. */
export function abortWatch(limits: AbortLimits) {
  const looks: Look[] = [];
  const isOver = shortRule(limits.short);
  return {
    counts({ unauthorized, forbidden, alike }: EndingCounts): Stop | undefined {
      if (unauthorized > 0) return { rule: 'refused-login', text: 'a transaction was answered 401' };
      if (alike !== undefined && alike.count >= limits.alike) {
        const answer = answerWords(alike.status, alike.says);
        return { rule: SAME_REFUSAL, text: `each of the first ${alike.count} answers was ${answer}`, says: answer };
      }
      if (forbidden < limits.forbidden) return undefined;
      return { rule: 'forbidden', text: `${forbidden} transactions were answered 403` };
    },
    second(atMs: number, counts: EndingCounts, p99Ms: number | null): Stop | undefined {
      const over = isOver(atMs, counts);
      if (over !== undefined) return over;
      looks.push({ atMs, counts, p99Ms });
      const first = looks.findLast((look) => atMs - look.atMs >= WINDOW_MS);
      const last = looks.at(-1);
      if (first === undefined || last === undefined) return undefined;
      const window = looks.slice(looks.indexOf(first) + 1);
      looks.splice(0, looks.indexOf(first));
      const limitMs = limits.p99Ms;
      const slow = limitMs !== undefined && window.every((look) => look.p99Ms !== null && look.p99Ms > limitMs);
      const text = `p99 of service time stayed above ${limitMs} ms for ${WINDOW_MS / 1000} s`;
      return slow ? { rule: 'p99', text } : shareRule(first, last, limits);
    },
  };
}
