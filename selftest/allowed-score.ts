import type { AllowedScore, NullScore } from '../lib/records/selftest.ts';
import { NULL_TARGETS } from '../reference/null-targets/table.ts';
import { VARIATIONS } from '../reference/variations/table.ts';
import { accusationText, type Scored } from './outcome.ts';
import { type SubjectKind, subjectKey } from './subject.ts';

const CONFORMING: ReadonlySet<SubjectKind> = new Set(['clean', 'churn', 'variation', 'pair']);

const TITLES: Readonly<Partial<Record<SubjectKind, string>>> = {
  clean: 'the deployment as it is',
  churn: 'the same, while somebody else writes to every family',
};

/** Deployments that conform, with whatever accused them: fail, warn and error alike, faults that ended the run, and residue. */
export function allowedScores(scored: readonly Scored[]): AllowedScore[] {
  return scored
    .filter(({ subject }) => CONFORMING.has(subject.kind))
    .map(({ subject, outcome }) => {
      const titles = subject.ids.map((id) => VARIATIONS.find((variation) => variation.id === id)?.title ?? id);
      return {
        key: subjectKey(subject),
        title: [
          TITLES[subject.kind] ?? titles.join('; '),
          ...(subject.kind === 'churn' ? [`${subject.ids[0]} times a second`] : []),
        ].join(' '),
        exit: outcome.exit,
        alarms: [
          ...outcome.accusations.map(accusationText),
          ...outcome.faults.map((code) => `the run ended early: ${code}`),
          ...(outcome.residue === 0 ? [] : [`${outcome.residue} records left behind`]),
          ...(outcome.timedOut ? ['the time was over before all checks had run'] : []),
        ],
      };
    });
}

/** Null targets, with every pass that is not on the target's list of what it does do. */
export function nullScores(scored: readonly Scored[]): NullScore[] {
  return NULL_TARGETS.flatMap(({ id, title, exits, keeps }) => {
    const found = scored.find(({ subject }) => subject.kind === 'null' && subject.ids[0] === id);
    if (found === undefined) return [];
    const { outcome } = found;
    const isKept = (pass: string) => keeps?.some((prefix) => pass.startsWith(prefix)) === true;
    return [
      {
        id,
        title,
        exit: outcome.exit,
        expected: [...exits],
        vacuous: outcome.passes.filter((pass) => !isKept(pass)),
        timedOut: outcome.timedOut,
      },
    ];
  });
}
