import { defined } from '../../lib/defined.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { runSubject } from './run-subject.ts';
import type { Subject } from './subject.ts';

/** A result that accuses the target, with what was expected and observed, or the reason. */
export function accusationOf(result: ConformanceResult) {
  const { checkId, requirement, family, variant, verdict, expected, observed, reason } = result;
  const text = expected === undefined ? (reason ?? observed ?? '') : `expected ${expected}; observed ${observed ?? ''}`;
  return {
    ...{ checkId, requirement, family, verdict: verdict as 'fail' | 'warn' | 'error', text: text.slice(0, 300) },
    ...defined({ variant }),
  };
}

export type Accusation = ReturnType<typeof accusationOf>;

/** A result that was asked for and proves nothing either way. */
export const openOf = ({ checkId, family, variant, verdict, reason }: ConformanceResult) => ({
  ...{
    checkId,
    family,
    verdict: verdict as 'blocked' | 'inconclusive' | 'error',
    reason: (reason ?? '').slice(0, 300),
  },
  ...defined({ variant }),
});

export type Open = ReturnType<typeof openOf>;

export const accusationText = ({ verdict, requirement, text, ...key }: Accusation): string =>
  `${verdict} ${requirement}: ${resultKey(key)}: ${text}`;

export type Outcome = Awaited<ReturnType<typeof runSubject>>;

export interface Scored {
  readonly subject: Subject;
  readonly outcome: Outcome;
}
