import { defined } from '../../lib/defined.ts';
import { counted, duration } from '../../lib/text.ts';
import type { Defect } from '../deviation.ts';
import { NULL_TARGETS } from '../null-targets/table.ts';
import { VARIATIONS } from '../variations/table.ts';
import { accusationText, defectScore, isKilled, type Scored } from './defect-score.ts';
import { type GateRow, gateOf, type ScoreScope } from './gate.ts';
import { type SubjectKind, subjectKey } from './subject.ts';

const CONFORMING: ReadonlySet<SubjectKind> = new Set(['clean', 'churn', 'variation', 'pair']);

const TITLES: Readonly<Partial<Record<SubjectKind, string>>> = {
  clean: 'the deployment as it is',
  churn: 'the same, while somebody else writes to every family',
};

/** Deployments that conform, with whatever accused them: fail, warn and error alike, faults that ended the run, and residue. */
function allowedScores(scored: readonly Scored[]) {
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
function nullScores(scored: readonly Scored[]) {
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

export type Cost = Readonly<Record<'durationMs' | 'requests' | 'runs' | 'workers', number>>;

interface ScoreOptions {
  readonly seed: number;
  readonly scope: ScoreScope;
  readonly cost: Cost;
  readonly defects: readonly Defect[];
}

/** `selftest.json`: how well the suite tells deployments apart. Same seed, same score, but for `cost`. */
export function scoreOf(scored: readonly Scored[], options: ScoreOptions) {
  const { seed, scope, cost } = options;
  const outcomesOf = (id: string) =>
    scored.filter(({ subject }) => subject.kind === 'defect' && subject.ids[0] === id).map(({ outcome }) => outcome);
  const defects = options.defects
    .map((defect) => defectScore(defect, outcomesOf(defect.id)))
    .filter(({ seeds }) => seeds > 0);
  const allowed = allowedScores(scored);
  const nullTargets = nullScores(scored);
  const killed = defects.filter(isKilled);
  const totals = {
    defects: defects.length,
    killed: killed.length,
    right: killed.filter(({ right }) => right).length,
    allowed: allowed.length,
    falseAlarms: allowed.filter(({ alarms }) => alarms.length > 0).length,
    nullTargets: nullTargets.length,
    vacuous: nullTargets.reduce((sum, { vacuous }) => sum + vacuous.length, 0),
    wrongExits: nullTargets.filter(({ exit, expected }) => !expected.includes(exit)).length,
  };
  const gate = gateOf({ totals, defects });
  return {
    selftestVersion: 1 as const,
    seed,
    scope,
    met: gate.every(({ met }) => met),
    gate,
    totals,
    ...defined({ pairs: scored.find(({ subject }) => subject.kind === 'clean')?.outcome.pairs }),
    defects,
    allowed,
    nullTargets,
    cost,
  };
}

export type SelftestScore = ReturnType<typeof scoreOf>;

/** Lines under a title; nothing if there are none. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

export const costLine = ({ cost, seed }: { readonly cost: Cost; readonly seed: number }): string =>
  `${counted(cost.runs, 'run')} of the suite, ${counted(cost.requests, 'request')}, ${duration(cost.durationMs)} with ${cost.workers} workers; seed ${seed}`;

export function gateLines(gate: readonly GateRow[]): string[] {
  const width = Math.max(...gate.map(({ text }) => text.length));
  return gate.map(
    ({ text, wanted, got, met }) => `${met ? 'met    ' : 'NOT MET'}  ${text.padEnd(width)}  ${got} (${wanted})`,
  );
}

/** The score as a person reads it: the gate, then what breaks it; the score as JSON has all. */
export function scoreLines(score: SelftestScore): string[] {
  const { gate, defects, allowed, nullTargets, met } = score;
  return [
    ...gateLines(gate),
    ...section(
      'Defects that survive',
      defects
        .filter((defect) => !isKilled(defect))
        .map(({ id, title, killedIn, seeds }) => `${id} ${title}: killed in ${killedIn} of ${counted(seeds, 'seed')}`),
    ),
    ...section(
      'Killed for another requirement only',
      defects
        .filter((defect) => isKilled(defect) && !defect.right)
        .map(({ id, violates, accused }) => `${id} violates ${violates.join(', ')}; accused: ${accused.join(', ')}`),
    ),
    ...section(
      'False alarms',
      allowed.flatMap(({ key, alarms }) => alarms.map((alarm) => `${key}: ${alarm}`)),
    ),
    ...section(
      'Vacuous passes',
      nullTargets.flatMap(({ id, vacuous }) => vacuous.map((pass) => `${id}: ${pass}`)),
    ),
    '',
    costLine(score),
    `selftest: the gate is ${met ? 'met' : 'not met'}`,
  ];
}
