import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { generatedLines } from '../../../reference/defects/generated/generated.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { NULL_TARGETS } from '../../../reference/null-targets/table.ts';
import { type Accusation, isBound, type Outcome, type Scored } from '../../../reference/selftest/defect-score.ts';
import { generatedScore } from '../../../reference/selftest/generated-score.ts';
import { PUBLISHED_GENERATED } from '../../../reference/selftest/published.ts';
import { scoreLines, scoreOf } from '../../../reference/selftest/score.ts';
import {
  generatedSubjects,
  lineSubject,
  SPACES,
  type SubjectKind,
  subjectKey,
  subjectsOf,
  variationPairs,
} from '../../../reference/selftest/subject.ts';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { dropFamilies } from '../../helpers/a-definition.ts';
import { COST, QUIET } from './quiet.ts';

const accused = (checkId: string, requirement: string, verdict: Accusation['verdict'] = 'fail'): Accusation => ({
  ...{ checkId, requirement, family: 'sgt', verdict, text: 'expected a; observed b' },
});

const run = (kind: SubjectKind, ids: readonly string[], seed: number, outcome: Partial<Outcome> = {}): Scored => ({
  subject: { kind, ids, seed },
  outcome: { ...QUIET, ...outcome },
});

const CLEAN = run('clean', [], 1);

const score = (scored: readonly Scored[], scope: 'full' | 'quick' | 'chosen' = 'chosen') =>
  scoreOf(scored, { seed: 1, scope, defects: DEFECTS, cost: COST });

const seeds = (outcomes: readonly Partial<Outcome>[]) =>
  outcomes.map((outcome, index) => run('defect', ['M27'], index + 1, outcome));

describe('a defect', () => {
  const killed = { accusations: [accused('filter/operator', 'FOP-EQ')] };

  it('is killed where a check accuses it in every seed, and meets the gate', () => {
    const made = score([CLEAN, ...seeds([killed, killed, killed])]);
    expect(made).toMatchObject({ met: true, totals: { defects: 1, killed: 1, right: 1 } });
    expect(made.defects[0]?.foundBy).toEqual(['filter/operator']);
  });

  it('survives where one seed lets it pass, and fails the gate', () => {
    const made = score([CLEAN, ...seeds([killed, {}, killed])]);
    expect(made).toMatchObject({ met: false, totals: { defects: 1, killed: 0 } });
    expect(scoreLines(made).join('\n')).toContain('M27');
  });

  it('is not killed by a check that ended in an error, nor by a run that was cut', () => {
    const broken = { accusations: [accused('filter/operator', 'FOP-EQ', 'error')] };
    expect(score([CLEAN, ...seeds([broken, broken, broken])]).totals.killed).toBe(0);
    const cut = { ...killed, timedOut: true };
    expect(score([CLEAN, ...seeds([killed, killed, cut])]).defects[0]).toMatchObject({ killedIn: 2, timedOut: 1 });
  });

  it('is killed for the wrong reason where only requirements are accused that it does not violate', () => {
    const wrong = { accusations: [accused('list/served', 'OP-sgt-L'), accused('list/served', 'OP-node-L')] };
    const made = score([CLEAN, ...seeds([wrong, wrong, wrong])]);
    expect(made).toMatchObject({ met: false, totals: { killed: 1, right: 0 } });
    expect(made.defects[0]?.accused).toEqual(['OP-{family}-L']);
  });
});

it.each<readonly [string, Partial<Outcome>]>([
  ['a failed check', { accusations: [accused('filter/operator', 'FOP-EQ')] }],
  ['a warning', { accusations: [accused('filter/operator', 'FOP-EQ', 'warn')] }],
  ['an error', { accusations: [accused('filter/operator', 'FOP-EQ', 'error')] }],
  ['a run that ended early', { faults: ['not-this-api'] }],
  ['a record left behind', { residue: 1 }],
  ['a run that took too long', { timedOut: true }],
])('a deployment that conforms is falsely accused by %s', (_, outcome) => {
  const made = score([CLEAN, run('variation', ['V03'], 1, outcome)]);
  expect(made).toMatchObject({ met: false, totals: { allowed: 2, falseAlarms: 1 } });
});

it('a target that is no service makes a pass vacuous, and another exit code wrong', () => {
  const made = score([CLEAN, run('null', ['N02'], 1, { exit: 0, passes: ['list/served OP-sgt-L'] })]);
  expect(made).toMatchObject({ met: false, totals: { vacuous: 1, wrongExits: 1 } });
});

it('a score is not met by having run nothing', () => {
  expect(score([]).met).toBe(false);
});

const full = subjectsOf({ seed: 1, pairs: 40, quick: false });
const count = (kind: SubjectKind, of = full) => of.filter((subject) => subject.kind === kind).length;

describe('the subjects of a selftest', () => {
  it('are every defect in three seeds, every variation, every null target and the pairs, each once', () => {
    expect(count('defect')).toBe(60 * 3);
    expect(DEFECTS).toHaveLength(60);
    expect(count('variation')).toBe(VARIATIONS.length);
    expect(count('null')).toBe(NULL_TARGETS.length);
    expect(count('pair')).toBe(40);
    expect([count('clean'), count('churn')]).toEqual([3, 3]);
    expect(new Set(full.map(subjectKey)).size).toBe(full.length);
  });

  it('are in a quick run a sample of each kind, the same for the same seed', () => {
    const quick = subjectsOf({ seed: 7, pairs: 2, quick: true });
    expect(quick).toEqual(subjectsOf({ seed: 7, pairs: 2, quick: true }));
    expect(quick).not.toEqual(subjectsOf({ seed: 8, pairs: 2, quick: true }).map((each) => ({ ...each, seed: 7 })));
    // The defects are looked at whole: nobody says where they show.
    expect(new Set(quick.filter(({ families }) => families !== undefined).map(({ kind }) => kind))).toEqual(
      new Set(['null', 'clean', 'variation', 'pair']),
    );
    for (const kind of ['clean', 'defect', 'variation', 'pair', 'null'] as const)
      expect(count(kind, quick)).toBeGreaterThan(0);
  });

  it('never pair two forms of one variation', () => {
    const pairs = variationPairs(10_000, 1);
    expect(pairs.length).toBeGreaterThan(300);
    expect(pairs.filter(([a, b]) => a.slice(0, 3) === b.slice(0, 3))).toEqual([]);
  });
});

const FOUND = { checkId: 'record/create', requirement: 'PAY-C', family: 'sgt', verdict: 'fail', text: 'x' } as const;
const [first, second] = generatedLines();

function generatedOf(outcomes: readonly Outcome[]) {
  const scored = outcomes.map((outcome, index) => {
    const line = index === 0 ? first : second;
    if (line === undefined) throw new Error('no line');
    return { subject: lineSubject(line, 1), outcome };
  });
  return generatedScore(scored, { space: 'generated', seed: 1, population: 2, cost: COST });
}

describe('the generated score', () => {
  it('counts what failed or warned as found, with its interval, and an error as nothing', () => {
    const broken = { ...QUIET, accusations: [{ ...FOUND, verdict: 'error' as const }] };
    const score = generatedOf([{ ...QUIET, accusations: [FOUND] }, broken]);
    expect(score.total).toMatchObject({ killed: 1, of: 2 });
    expect(score.total.low).toBeLessThan(0.5);
    expect(score.survivors).toHaveLength(1);
  });

  it('counts by itself what was found for a requirement that the defect violates', () => {
    const [line] = SPACES['held-out'].lines();
    if (line === undefined) throw new Error('no line');
    const boundBy = (verdict: 'fail' | 'warn', requirement: string) => {
      const outcome: Outcome = { ...QUIET, accusations: [{ ...FOUND, verdict, requirement }] };
      const scored = [{ subject: lineSubject(line, 1, 'held-out'), outcome }];
      const score = generatedScore(scored, { space: 'held-out', seed: 1, population: 1, cost: COST });
      expect(score.total.killed).toBe(1);
      expect(score.misnamed).toHaveLength(1 - score.bound.killed);
      return score.bound.killed;
    };
    const [stated = ''] = SPACES['held-out'].make(line).defect.violates;
    expect(stated).toMatch(/^OP-/);
    expect(boundBy('fail', stated)).toBe(1);
    expect(boundBy('warn', stated)).toBe(0);
    expect(boundBy('warn', 'LIST-GET')).toBe(1);
    expect(boundBy('fail', 'LST-SORT')).toBe(0);
  });

  it('counts a warning about an imported family: nothing but its definition is held against it', () => {
    const family = { ...FAMILIES.sgt, name: 'gadget', imported: 'gadget.yaml' };
    registerFamilies([{ family, facts: vendorFacts('sgt') }]);
    const isWarned = (family: string) =>
      isBound(['OP-*-U'], { verdict: 'warn', requirement: `OP-${family}-U`, family });
    expect([isWarned('gadget'), isWarned('sgt')]).toEqual([true, false]);
    dropFamilies(['gadget']);
  });

  it('runs the clean deployment once for each set of families, and reports what it is accused of', () => {
    const subjects = generatedSubjects('generated', 1, { sample: 30 });
    const controls = subjects.filter(({ kind }) => kind === 'control');
    expect(new Set(controls.map(({ ids }) => ids[0])).size).toBe(controls.length);
    expect(subjects.length - controls.length).toBe(30);
    const [accused] = controls.map((subject) => ({ subject, outcome: { ...QUIET, accusations: [FOUND] } }));
    const run = { space: 'generated', seed: 1, population: 1, cost: COST } as const;
    expect(generatedScore(accused ? [accused] : [], run).alarms).toHaveLength(1);
  });
});

it('the published generated scores are figures of whole samples', () => {
  for (const { sample, total, byTrigger } of PUBLISHED_GENERATED) {
    expect(total.of).toBe(sample);
    expect(Object.values(byTrigger).reduce((sum, { of }) => sum + of, 0)).toBe(sample);
  }
});
