import { type Level, levelOf } from '../../lib/contract/requirements.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';
import type { Outcome } from '../kit/check.ts';
import { CheckFailure, Inconclusive, isBlocked, NotTestable, ToleratedDeviation } from '../kit/fault.ts';

const CAP: Readonly<Record<Level, Verdict>> = { stated: 'fail', implied: 'warn', gap: 'info', advice: 'info' };

export type Judged = Pick<
  ConformanceResult,
  'verdict' | 'reason' | 'needs' | 'expected' | 'observed' | 'onlyIf' | 'difference' | 'failure'
> &
  Partial<Pick<ConformanceResult, 'requirement' | 'level'>>;

/** Reason of a check that passed without a witness. */
export const SAW_NOTHING = 'nothing was seen that could have failed';

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

/** Verdict of a check from how it ended and what it saw. A pass without a witness is inconclusive. A check of a gap or of advice records and does not judge. */
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
