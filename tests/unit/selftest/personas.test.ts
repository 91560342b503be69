import { describe, expect, it } from 'vitest';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { FACTS } from '../../../reference/personas/personas.ts';
import type { Accusation, Open, Outcome, Scored } from '../../../reference/selftest/defect-score.ts';
import { personaSubjects, personasScore, rulePairs } from '../../../reference/selftest/personas/score.ts';
import { subjectKey } from '../../../reference/selftest/subject.ts';
import { COST, QUIET } from './quiet.ts';

const all = { seed: 1, modes: Mode.options, pairs: 20 };
const NOTHING = { open: [], left: [], harmed: [], operations: 66, filters: 190 };

function ran(ids: readonly string[], outcome: Partial<Outcome> = {}, detail: Partial<Outcome['detail'] & object> = {}) {
  const subject = { kind: ids.length === 0 ? 'clean' : 'persona', ids, seed: 1, mode: 'full' } as const;
  return {
    subject,
    outcome: { ...QUIET, ...outcome, detail: { ...NOTHING, ...detail } },
  } satisfies Scored;
}

const accused = (family: string, requirement: string, verdict: Accusation['verdict'] = 'fail'): Accusation => ({
  ...{ checkId: 'a/check', family, requirement, verdict, text: 'expected a; observed b' },
});
const open = (checkId: string, family: string, variant?: string): Open => ({
  ...{ checkId, family, verdict: 'blocked', reason: 'why' },
  ...(variant === undefined ? {} : { variant }),
});

const score = (...scored: readonly Scored[]) => personasScore(scored, { seed: 1, cost: COST });
const runOf = (...scored: readonly Scored[]) => score(ran([]), ...scored).scores.at(-1)?.runs[0];

describe('the subjects on personas', () => {
  it('are each persona and rule in every mode, with the clean deployment, and pairs in mode full', () => {
    const subjects = personaSubjects(all);
    expect(subjects).toHaveLength(3 * (1 + 3 + FACTS.length) + 20);
    expect(new Set(subjects.map(subjectKey)).size).toBe(subjects.length);
    expect(personaSubjects(all)).toEqual(subjects);
    expect(personaSubjects({ ...all, seed: 2 })).not.toEqual(subjects);
  });

  it('are all pairs that can hold side by side, if so many are asked for', () => {
    const pairs = personaSubjects({ ...all, pairs: 1000 }).filter(({ ids }) => ids.length === 2);
    expect(pairs).toHaveLength(rulePairs().length);
    expect(pairs.map(({ ids }) => ids)).not.toContainEqual(['names', 'names-loose']);
  });
});

describe('the score on personas', () => {
  it('takes a failure for right if a rule contradicts its requirement in that family', () => {
    const given = [accused('sgt', 'CNV-HDR'), accused('portal', 'CNV-HDR'), accused('sgt', 'PAY-C')];
    expect(runOf(ran(['deletetype'], { accusations: given }))).toMatchObject({
      right: 1,
      false: [expect.stringContaining('a/check|portal'), expect.stringContaining('PAY-C')],
    });
    expect(runOf(ran(['names'], { accusations: given }))?.right).toBe(0);
    expect(runOf(ran(['3.5'], { accusations: given }))?.right).toBe(2);
  });

  it('never takes an error, an early end or a cut for right', () => {
    const bad = { accusations: [accused('sgt', 'CNV-HDR', 'error')], faults: ['x'], timedOut: true };
    const made = runOf(ran(['accept'], bad));
    expect([made?.right, made?.false.length]).toEqual([0, 3]);
  });

  it('counts as lost what the clean deployment decides, without what no suite can decide', () => {
    const both = open('gap/any', 'sgt');
    const more = { open: [both, open('record/create', 'sgt')] };
    const made = score(ran([], {}, { open: [both] }), ran(['operator'], {}, more), ran(['names'], {}, more));
    const lost = made.scores.map(({ runs: [run] }) => `${run?.lost.length} lost, ${run?.unavoidable} unavoidable`);
    expect(lost).toEqual(['1 lost, 0 unavoidable', '0 lost, 1 unavoidable', '1 lost, 0 unavoidable']);
  });

  it('meets the gate with right failures and few losses, and not with anything left, harmed or false', () => {
    const right = ran(['deletetype'], { exit: 1, accusations: [accused('sgt', 'CNV-HDR')] });
    expect(score(ran([]), right).met).toBe(true);
    expect(score(ran([])).met).toBe(false);
    const many = Array.from({ length: 61 }, (_, index) => open('a/check', 'sgt', String(index)));
    for (const detail of [{ left: ['sgt/1'] }, { harmed: ['sgt/1'] }, { open: many }])
      expect(score(ran([]), ran(['names'], {}, detail)).met).toBe(false);
    expect(score(ran([]), ran(['names'], { accusations: [accused('sgt', 'PAY-C')] })).met).toBe(false);
  });
});
