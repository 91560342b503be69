import { defined } from '../../lib/defined.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';
import type { PlanEntry } from './plan.ts';
import type { Trace } from './trace.ts';
import { type Judged, SAW_NOTHING } from './verdict.ts';

const UNMET: ReadonlySet<Verdict> = new Set(['fail', 'error', 'blocked']);
/** Verdicts that need no explanation, whatever else does not hold. */
const HELD: ReadonlySet<Verdict> = new Set(['pass', 'info']);

/** A result; `unmet` is the key of the check at the root that would have explained it, had it not passed. */
export interface Ended {
  readonly result: ConformanceResult;
  readonly unmet?: string;
}

type Done = ReadonlyMap<string, readonly Ended[]>;

type Outcome = Judged & Pick<ConformanceResult, 'blockedBy'>;

type On = 'dependsOn' | 'restsOn';

const rootsOf = ({ check, variant: own }: PlanEntry, on: On, done: Done) =>
  (check[on] ?? []).map((name) => {
    const [id = '', ending = ''] = name.split('|');
    const isMeant = (variant = '') => (ending === '=' ? variant === own?.name : variant.endsWith(ending));
    return (done.get(id) ?? []).filter(({ result }) => isMeant(result.variant));
  });

/** The key of the check at the root that did not hold, if one did not. To rest on a check, it is enough that it passed; to depend on it, what it depends on has to hold too. */
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
export const waitsFor = (blockedBy: string | undefined): Outcome | undefined =>
  blockedBy === undefined ? undefined : { verdict: 'blocked', reason: `${blockedBy} has to hold first`, blockedBy };

/** What an entry ends as: blocked if it does not hold and what it depends on does not; not testable if it saw nothing, and what it depends on could not be tested in any variant. */
export function explained(judged: Judged, entry: PlanEntry, done: Done, unmet: string | undefined, trace: Trace) {
  if (unmet !== undefined && !HELD.has(judged.verdict)) {
    const { reason, expected, observed } = judged;
    trace.observations['seen all the same'] = reason ?? `expected ${expected}; observed ${observed}`;
    return waitsFor(unmet) as Outcome;
  }
  if (judged.reason !== SAW_NOTHING) return judged;
  const isHidden = (ended: readonly Ended[]) =>
    ended.length > 0 && ended.every(({ result }) => result.verdict === 'not-testable');
  const hidden = rootsOf(entry, 'dependsOn', done).find(isHidden)?.[0]?.result;
  if (hidden === undefined) return judged;
  const blockedBy = hidden.blockedBy ?? resultKey(hidden);
  const { reason = `${blockedBy} cannot be tested here`, needs } = hidden;
  return { verdict: 'not-testable', reason, ...defined({ needs }), blockedBy } satisfies Outcome;
}
