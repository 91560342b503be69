import { type Level, levelOf } from '../../lib/contract/requirements.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';
import type { Outcome } from '../kit/check.ts';
import { CheckFailure, Inconclusive, isBlocked, NotTestable, ToleratedDeviation } from '../kit/fault.ts';
import type { PlanEntry } from './plan.ts';
import type { Trace } from './trace.ts';

const CAP: Readonly<Record<Level, Verdict>> = { stated: 'fail', implied: 'warn', gap: 'info', advice: 'info' };

export type Judged = Pick<
  ConformanceResult,
  'verdict' | 'reason' | 'needs' | 'expected' | 'observed' | 'onlyIf' | 'difference' | 'failure'
> &
  Partial<Pick<ConformanceResult, 'requirement' | 'level'>>;

/** Reason of a check that passed without a witness. */
const SAW_NOTHING = 'nothing was seen that could have failed';

export type Ending = { readonly returned: Outcome | undefined } | { readonly thrown: unknown };

function judgeFault(fault: unknown, checked: Level, family: string | undefined): Judged {
  if (fault instanceof CheckFailure) {
    const { requirement: found } = fault.facts;
    // A check of what is stated may come upon what is only implied.
    const level = found === undefined || checked !== 'stated' ? checked : levelOf(found, family);
    const verdict = fault instanceof ToleratedDeviation && level === 'stated' ? 'warn' : CAP[level];
    const { expected, observed, onlyIf, about, difference, requirement } = fault.facts;
    return {
      ...{ verdict, level, expected, observed, failure: about },
      ...defined({
        ...{ requirement, onlyIf },
        reason: fault instanceof ToleratedDeviation ? 'real deployments are recorded to answer so' : undefined,
        difference: difference && { missing: [...difference.missing], extra: [...difference.extra] },
      }),
    };
  }
  if (fault instanceof NotTestable)
    return { verdict: 'not-testable', reason: fault.message, ...defined({ needs: fault.needs }) };
  if (fault instanceof Inconclusive) return { verdict: 'inconclusive', reason: fault.message };
  if (isBlocked(fault)) return { verdict: 'blocked', reason: fault.message };
  return { verdict: 'error', reason: messageOf(fault) };
}

/** Verdict of a check from its end and what it saw. A pass without a witness is inconclusive. A gap or advice is never judged. */
export function judge(
  ending: Ending,
  level: Level,
  witness: Readonly<Record<string, number>>,
  family?: string,
): Judged {
  if ('thrown' in ending) return judgeFault(ending.thrown, level, family);
  const { returned } = ending;
  const details = defined({ reason: returned?.reason, needs: returned?.needs, observed: returned?.observed });
  const verdict = returned?.verdict ?? 'pass';
  if (verdict !== 'pass') return { verdict, ...details };
  if (level === 'gap' || level === 'advice') return { verdict: 'info', ...details };
  if (Object.keys(witness).length > 0) return { verdict, ...details };
  return { verdict: 'inconclusive', ...details, reason: SAW_NOTHING };
}

const UNMET: ReadonlySet<Verdict> = new Set(['fail', 'error', 'blocked']);
/** Verdicts that need no explanation, whatever else does not hold. */
const HELD: ReadonlySet<Verdict> = new Set(['pass', 'info']);

/** A result; `unmet` is the key of the check at the root that would have explained it, had it not passed. */
export interface Ended {
  readonly result: ConformanceResult;
  readonly unmet?: string;
}

type Done = ReadonlyMap<string, readonly Ended[]>;

type Explained = Judged & Pick<ConformanceResult, 'blockedBy'>;

type On = 'dependsOn' | 'restsOn';

const rootsOf = ({ check, variant: own }: PlanEntry, on: On, done: Done) =>
  (check[on] ?? []).map((name) => {
    const [id = '', ending = ''] = name.split('|');
    const isMeant = (variant = '') => (ending === '=' ? variant === own?.name : variant.endsWith(ending));
    return (done.get(id) ?? []).filter(({ result }) => isMeant(result.variant));
  });

/** The key of the root check that did not hold, if any. What is rested on only has to pass; what is depended on needs its roots too. */
export function unmetOf(entry: PlanEntry, on: On, done: Done): string | undefined {
  const keys = rootsOf(entry, on, done)
    .flat()
    .map(({ result, unmet }) => {
      if (UNMET.has(result.verdict)) return result.blockedBy ?? resultKey(result);
      return on === 'restsOn' ? undefined : unmet;
    });
  return keys.find((key) => key !== undefined);
}

/** What an entry ends as that waits for another one; undefined if it waits for none. */
export const waitsFor = (blockedBy: string | undefined): Explained | undefined =>
  blockedBy === undefined ? undefined : { verdict: 'blocked', reason: `${blockedBy} has to hold first`, blockedBy };

/** How an entry ends: blocked if it and what it depends on do not hold; not testable if it saw nothing and that could not be tested. */
export function explained(judged: Judged, entry: PlanEntry, done: Done, unmet: string | undefined, trace: Trace) {
  if (unmet !== undefined && !HELD.has(judged.verdict)) {
    const { reason, expected, observed } = judged;
    trace.observations['seen all the same'] = reason ?? `expected ${expected}; observed ${observed}`;
    return waitsFor(unmet) as Explained;
  }
  if (judged.reason !== SAW_NOTHING) return judged;
  const isHidden = (ended: readonly Ended[]) =>
    ended.length > 0 && ended.every(({ result }) => result.verdict === 'not-testable');
  const hidden = rootsOf(entry, 'dependsOn', done).find(isHidden)?.[0]?.result;
  if (hidden === undefined) return judged;
  const blockedBy = hidden.blockedBy ?? resultKey(hidden);
  const { reason = `${blockedBy} cannot be tested here`, needs } = hidden;
  return { verdict: 'not-testable', reason, ...defined({ needs }), blockedBy } satisfies Explained;
}
