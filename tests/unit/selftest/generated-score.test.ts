import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { generatedLines } from '../../../reference/defects/generated/generated.ts';
import { isBound, type Outcome } from '../../../reference/selftest/defect-score.ts';
import { generatedScore } from '../../../reference/selftest/generated-score.ts';
import { PUBLISHED_GENERATED } from '../../../reference/selftest/published.ts';
import { generatedSubjects, lineSubject, SPACES } from '../../../reference/selftest/subject.ts';
import { dropFamilies } from '../../helpers/a-definition.ts';
import { COST, QUIET } from './quiet.ts';

const FOUND = { checkId: 'record/create', requirement: 'PAY-C', family: 'sgt', verdict: 'fail', text: 'x' } as const;
const [first, second] = generatedLines();

function scoreOf(outcomes: readonly Outcome[]) {
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
    const score = scoreOf([{ ...QUIET, accusations: [FOUND] }, broken]);
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
