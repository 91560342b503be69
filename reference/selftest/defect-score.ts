import { FAMILIES } from '../../lib/contract/families.ts';
import { levelOf } from '../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { fits } from '../../lib/glob.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { Defect } from '../deviation.ts';
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

/** A requirement of a family under one name for all families: a defect that shows in twelve is one mistake, not twelve. */
function withoutFamily(requirement: string): string {
  return requirement
    .split('-')
    .map((part) => (part in FAMILIES ? '{family}' : part))
    .join('-');
}

/** True if one of the patterns, with `*` for any family or operator, names the requirement. */
export function isViolated(violates: readonly string[], requirement: string): boolean {
  return violates.some((pattern) => fits(pattern, requirement));
}

/** True for a failure of a requirement that is violated; a warning counts where the requirement is implied only, as most is of an imported family. */
export function isBound(
  violates: readonly string[],
  { verdict, requirement, family }: Pick<Accusation, 'verdict' | 'requirement' | 'family'>,
) {
  const isImplied =
    (FAMILIES as FamilyTable)[family]?.imported !== undefined || levelOf(requirement, family) === 'implied';
  const counts = verdict === 'fail' || (verdict === 'warn' && isImplied);
  return counts && isViolated(violates, requirement);
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

export function defectScore({ id, title, violates }: Defect, outcomes: readonly Outcome[]) {
  // A check that ended in an error found nothing, and a run that was cut proves nothing.
  const accused = (outcome: Outcome): readonly Accusation[] =>
    outcome.timedOut ? [] : outcome.accusations.filter(({ verdict }) => verdict !== 'error');
  const killed = outcomes.filter((outcome) => accused(outcome).length > 0);
  const mine = ({ requirement }: Accusation) => isViolated(violates, requirement);
  const isRight = outcomes.length > 0 && outcomes.every((outcome) => accused(outcome).some(mine));
  return {
    id,
    title,
    violates: [...violates],
    /** Seeds in which a check accused the deployment, of all that were run. */
    killedIn: killed.length,
    seeds: outcomes.length,
    /** Seeds in which the time was over before all checks had run; they never count as killed. */
    timedOut: outcomes.filter(({ timedOut }) => timedOut).length,
    /** Accused, in every seed, for a requirement that the defect violates. */
    right: isRight,
    /** Requirements that were accused in any seed before the run ended, at its first right accusation. */
    accused: unique(outcomes.flatMap(accused).map(({ requirement }) => withoutFamily(requirement))),
    /** Checks that accused, in any seed, for a requirement that the defect violates. */
    foundBy: unique(
      outcomes
        .flatMap(accused)
        .filter(mine)
        .map(({ checkId }) => checkId),
    ),
  };
}

export type DefectScore = ReturnType<typeof defectScore>;

export function isKilled({ killedIn, seeds }: Pick<DefectScore, 'killedIn' | 'seeds'>): boolean {
  return seeds > 0 && killedIn === seeds;
}
