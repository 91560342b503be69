import type { Check } from '../../conformance/kit/check.ts';
import { defined } from '../../lib/defined.ts';
import { percentile } from '../../lib/stats/percentile.ts';
import { counted, duration } from '../../lib/text.ts';
import type { Defect } from '../deviation.ts';
import { NULL_TARGETS } from '../null-targets/table.ts';
import { VARIATIONS } from '../variations/table.ts';
import { accusationText, defectScore, isKilled, type Scored } from './defect-score.ts';
import { type GateRow, gateOf, type ScoreScope } from './gate.ts';
import { type SubjectKind, subjectKey } from './subject.ts';

/** What a check is there for that no seeded defect and no null target fails: it is not proven that it can fail. */
const IDLE_REASONS: Readonly<Record<string, string>> = {
  'record/read':
    'a read that fails among siblings; M17 and M20 break reads so far that no record can be made, which blocks it',
  'record/created-is-listed':
    'a record that is readable and never listed; M44 hides the last record of a whole list only, which list and paging checks find',
  'record/ids':
    'an id that changes with an update or is shared; M16 answers ids that no read can be asked for, which fails the create and blocks it',
  'record/create-with-id': 'a create that refuses an id; no seeded defect does',
  'record/visible-soon': 'a write that shows late, but within the window; no seeded defect delays writes',
  'body/unset-left-out': 'a create that refuses a body without its optional fields; no seeded defect does',
  'headers/csrf-on-reads': 'a read that refuses the token; M58 refuses the other headers',
  'headers/csrf-on-writes': 'a write that refuses the token; M58 refuses the other headers',
  'negative/unknown-id': 'an id of no record that is answered with one; M17 does, and blocks it by failing the create',
  'negative/bad-body':
    'a body of another form that is stored; M22 and M07 store bodies with one fault each, which checks of their own find',
  'schema/required-members': 'an answer without a required member; no seeded defect drops one',
  'anc/neighbors':
    'an operation that reaches another endpoint, or stores another policy; no seeded defect does, generated ones do',
  'anc/csrf-header': 'an apply that refuses the token; no seeded defect does',
  'bulk/submit': 'a bulk request refused outright; M50 to M52 take every request',
  'bulk/items':
    'a monitor that says something else of an item than a look shows; no seeded defect does, M51 says nothing of any',
  'list/fields': 'a listed filter or sort field that is refused; no seeded defect refuses one',
  'list/without-sort': 'a list parameter that is refused where there is no sort; no seeded defect refuses one',
  'filter/type-spelling': 'a filterType taken under another spelling only; no seeded defect does',
  'survey/delete':
    'a delete that does nothing after some other write; M11 and M12 delete wrongly each time, which record/delete finds',
};

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
  readonly checks: readonly Check[];
  readonly defects: readonly Defect[];
}

function idleChecks(checks: readonly Check[], scored: readonly Scored[]) {
  const killing = new Set(
    scored
      .filter(({ subject }) => subject.kind === 'defect' || subject.kind === 'null')
      .flatMap(({ outcome }) => outcome.accusations.map(({ checkId }) => checkId)),
  );
  return checks
    .filter(({ id, level }) => !killing.has(id) && (level === 'stated' || level === 'implied'))
    .map(({ id, level }) => {
      const reason = IDLE_REASONS[id];
      return { check: id, level, ...defined({ reason }) };
    });
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
  const others = killed.map((defect) => defect.others.length).sort((a, b) => a - b);
  const totals = {
    defects: defects.length,
    killed: killed.length,
    right: killed.filter(({ right }) => right).length,
    othersMedian: percentile(others, 0, 0.5) ?? 0,
    othersP95: percentile(others, 0, 0.95) ?? 0,
    allowed: allowed.length,
    falseAlarms: allowed.filter(({ alarms }) => alarms.length > 0).length,
    nullTargets: nullTargets.length,
    vacuous: nullTargets.reduce((sum, { vacuous }) => sum + vacuous.length, 0),
    wrongExits: nullTargets.filter(({ exit, expected }) => !expected.includes(exit)).length,
  };
  const idle = scope === 'full' ? idleChecks(options.checks, scored) : [];
  const gate = gateOf({ totals, defects, idle, scope });
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
    onlyOne: killed.flatMap(({ id, killers: [check, ...more] }) =>
      check !== undefined && more.length === 0 ? [{ defect: id, check }] : [],
    ),
    idle,
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
  const { gate, defects, allowed, nullTargets, onlyOne, idle, met } = score;
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
        .map(({ id, violates, others }) => `${id} violates ${violates.join(', ')}; accused: ${others.join(', ')}`),
    ),
    ...section(
      'False alarms',
      allowed.flatMap(({ key, alarms }) => alarms.map((alarm) => `${key}: ${alarm}`)),
    ),
    ...section(
      'Vacuous passes',
      nullTargets.flatMap(({ id, vacuous }) => vacuous.map((pass) => `${id}: ${pass}`)),
    ),
    ...section(
      'Defects that only one check kills',
      onlyOne.map(({ defect, check }) => `${defect} by ${check}`),
    ),
    ...section(
      'Checks that accuse no defect and no null target, with what only they would find',
      idle.map(({ check, level, reason = 'no reason given' }) => `${check} (${level}): ${reason}`),
    ),
    '',
    costLine(score),
    `selftest: the gate is ${met ? 'met' : 'not met'}`,
  ];
}
