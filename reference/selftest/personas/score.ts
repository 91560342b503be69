import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { seededRandom } from '../../../lib/random.ts';
import { resultKey } from '../../../lib/records/conformance.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { tableLines } from '../../../lib/text.ts';
import type { Rule } from '../../personas/fact.ts';
import { chosenRules, FACTS, PERSONAS } from '../../personas/personas.ts';
import { type Accusation, accusationText, isViolated, type Open, type Scored } from '../defect-score.ts';
import { atMost, type GateRow, none, row } from '../gate.ts';
import { type Cost, costLine, gateLines, section } from '../score.ts';
import { type Subject, shuffled } from '../subject.ts';

interface PersonaSubjectsOptions {
  readonly seed: number;
  readonly modes: readonly Mode[];
  /** Pairs of rules that are run in mode full. */
  readonly pairs: number;
  /** Only these personas and rules, and no pairs; all where absent. */
  readonly names?: readonly string[];
  /** Families that each run is narrowed to; all where absent. */
  readonly families?: readonly string[];
}

export function rulePairs(): readonly (readonly [string, string])[] {
  return FACTS.flatMap(({ id: first, excludes = [] }, index) =>
    FACTS.slice(index + 1)
      .filter(({ id }) => !excludes.includes(id))
      .map(({ id: second }): [string, string] => [first, second]),
  );
}

/** The clean deployment, each persona and rule alone in every mode, and pairs of rules drawn from the seed. */
export function personaSubjects({ seed, modes, pairs, names, families }: PersonaSubjectsOptions): readonly Subject[] {
  const alone = names ?? [...PERSONAS, ...FACTS].map(({ id }) => id);
  const drawn = names === undefined ? shuffled(rulePairs(), seededRandom(seed)).slice(0, pairs) : [];
  const sorted = (['full', 'own-data', 'read-only'] as const).filter(
    (mode) => modes.includes(mode) || (mode === 'full' && drawn.length > 0),
  );
  return sorted.flatMap((mode): Subject[] => {
    const given = { seed, mode, ...defined({ families }) };
    return [
      { kind: 'clean', ids: [], ...given },
      ...(modes.includes(mode) ? alone.map((id): Subject => ({ kind: 'persona', ids: id.split('+'), ...given })) : []),
      ...(mode === 'full' ? drawn.map((ids): Subject => ({ kind: 'persona', ids, ...given })) : []),
    ];
  });
}

/** Results that a run may lose beside the unavoidable. */
const LOST_AT_MOST = 60;

function personaGate(scores: readonly PersonaScore[]): GateRow[] {
  const runs = scores.filter(({ kind }) => kind !== 'clean').flatMap((score) => score.runs);
  const sum = (count: (run: PersonaRun) => number) => runs.reduce((total, run) => total + count(run), 0);
  const wrong = sum((run) => run.false.length);
  return [
    row('failures that no rule contradicts the specification for', 'none', wrong, runs.length > 0 && wrong === 0),
    none(
      'records left behind',
      sum((run) => run.left.length),
    ),
    none(
      'records of others that are gone or changed',
      sum((run) => run.harmed.length),
    ),
    atMost(
      'most results lost in one run, beside the unavoidable',
      LOST_AT_MOST,
      Math.max(0, ...runs.map((run) => run.lost.length)),
    ),
  ];
}

const familyOf = (name: string): Family | undefined => (FAMILIES as FamilyTable)[name];

function affects(rule: Rule, name: string): boolean {
  const family = familyOf(name);
  return family !== undefined && rule.affects(family);
}

/** True for a failure of what a rule contradicts, in a family that the rule affects. */
function isRight(rules: readonly Rule[], accusation: Accusation): boolean {
  if (accusation.verdict === 'error') return false;
  const text = accusationText(accusation);
  const isBroken = (pattern: string) => {
    const [requirement = '', word = ''] = pattern.split(': ');
    return isViolated([requirement], accusation.requirement) && text.includes(word);
  };
  return rules.some((rule) => affects(rule, accusation.family) && rule.breaks?.some(isBroken) === true);
}

/** True for a result that a rule keeps every suite from deciding. */
function isUnavoidable(rules: readonly Rule[], mode: Mode, { checkId, family, variant = '' }: Open): boolean {
  const known = familyOf(family);
  return rules.some(({ unavoidable = [], affects }) =>
    unavoidable.some(
      (one) =>
        known !== undefined &&
        (one.affects ?? affects)(known) &&
        (one.mode ?? mode) === mode &&
        isViolated(one.checks, `${checkId}|${variant}`),
    ),
  );
}

function runOf({ subject, outcome }: Scored, decided: ReadonlySet<string>) {
  const rules = chosenRules(subject.ids);
  const { accusations, faults, timedOut, detail, exit, requests, durationMs } = outcome;
  const open = (detail?.open ?? []).filter((result) => !decided.has(resultKey(result)));
  const mode = subject.mode ?? 'full';
  const lost = open.filter((result) => !isUnavoidable(rules, mode, result));
  const wrong = accusations.filter((accusation) => !isRight(rules, accusation));
  return {
    mode,
    exit,
    /** Failures and warnings for a requirement that a rule contradicts; then all others, errors, and faults that ended the run. */
    right: accusations.length - wrong.length,
    false: [
      ...wrong.map(accusationText),
      ...faults.map((code) => `the run ended early: ${code}`),
      ...(timedOut ? ['the time was over before all checks had run'] : []),
    ],
    lost: lost.map((result) => ({ key: resultKey(result), reason: `${result.verdict}: ${result.reason}` })),
    unavoidable: open.length - lost.length,
    ...{ left: detail?.left ?? [], harmed: detail?.harmed ?? [] },
    ...{ operations: detail?.operations ?? 0, filters: detail?.filters ?? 0, requests, durationMs },
  };
}

type PersonaRun = ReturnType<typeof runOf>;

interface PersonaScore {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly runs: readonly PersonaRun[];
}

function kindOf(ids: readonly string[]): PersonaScore['kind'] {
  if (ids.length === 0) return 'clean';
  if (ids.length > 1) return 'pair';
  return PERSONAS.some(({ id }) => id === ids[0]) ? 'persona' : 'rule';
}

const KINDS = ['clean', 'persona', 'rule', 'pair'] as const;

/** What the suite makes of personas, a function of its outcomes alone. */
export function personasScore(
  scored: readonly Scored[],
  { seed, cost }: { readonly seed: number; readonly cost: Cost },
) {
  const openOfClean = (mode: Mode | undefined) => {
    const clean = scored.find(({ subject }) => subject.kind === 'clean' && subject.mode === mode);
    return new Set((clean?.outcome.detail?.open ?? []).map(resultKey));
  };
  const runsOf = (own: readonly Scored[]) =>
    own.map((one) => runOf(one, one.subject.kind === 'clean' ? new Set() : openOfClean(one.subject.mode)));
  const scores = [...groupBy(scored, ({ subject }) => subject.ids.join('+') || 'none')]
    .map(
      ([name, own]): PersonaScore => ({
        ...{ kind: kindOf(own[0]?.subject.ids ?? []), name },
        runs: runsOf(own).sort((a, b) => Mode.options.indexOf(a.mode) - Mode.options.indexOf(b.mode)),
      }),
    )
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const gate = personaGate(scores);
  return { personaScoreVersion: 1 as const, seed, met: gate.every(({ met }) => met), gate, scores, cost };
}

export type PersonasScore = ReturnType<typeof personasScore>;

const COLUMNS: readonly (readonly [title: string, of: (run: PersonaRun) => number])[] = [
  ['right', (run) => run.right],
  ['false', (run) => run.false.length],
  ['lost', (run) => run.lost.length],
  ['unavoidable', (run) => run.unavoidable],
  ['left', (run) => run.left.length],
  ['exit', (run) => run.exit],
  ['operations', (run) => run.operations],
  ['filters', (run) => run.filters],
];

const MOST = 12;

function tallied(texts: readonly string[]): string[] {
  const lines = [...groupBy(texts, (text) => text)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text, own]) => `${String(own.length).padStart(5)}  ${text}`);
  return [...lines.slice(0, MOST), ...(lines.length > MOST ? [`       and ${lines.length - MOST} more`] : [])];
}

/** The score on personas as a person reads it: the gate, a row for each deployment and mode, and what is not as it should be. */
export function personaLines(score: PersonasScore): string[] {
  const runs = score.scores.flatMap(({ kind, name, runs }) => runs.map((run) => ({ kind, name, run })));
  const details = (title: string, textsOf: (run: PersonaRun) => readonly string[]) =>
    section(
      title,
      runs.flatMap(({ kind, name, run }) => {
        const texts = kind === 'clean' ? [] : textsOf(run);
        return texts.length === 0 ? [] : [`${name}, ${run.mode}`, ...tallied(texts)];
      }),
    );
  return [
    ...gateLines(score.gate),
    '',
    ...tableLines(
      ['deployment', 'mode', ...COLUMNS.map(([title]) => title)],
      runs.map(({ name, run }) => [name, run.mode, ...COLUMNS.map(([, of]) => String(of(run)))]),
      COLUMNS.map((_, at) => at + 2),
    ),
    ...details('False failures', (run) => run.false.map((text) => text.slice(0, 200))),
    ...details('Results lost, by check and reason', (run) =>
      run.lost.map(({ key, reason }) => `${key.split('|')[0]}: ${reason.replace(/\|[a-z]+\|/g, '|*|').slice(0, 140)}`),
    ),
    ...details('Records left behind, by family', (run) => run.left.map((record) => record.split('/')[0] ?? '')),
    ...details('Records of others that are gone or changed', (run) => run.harmed),
    '',
    costLine(score),
    `selftest on personas: the gate is ${score.met ? 'met' : 'not met'}`,
  ];
}
