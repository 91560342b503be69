import { describe, expect, it } from 'vitest';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { FACTS } from '../../../reference/personas/personas.ts';
import type { Accusation, Open, Outcome, Scored } from '../../../selftest/outcome.ts';
import { personaLines, personasScore } from '../../../selftest/personas/score.ts';
import { personaSubjects, rulePairs } from '../../../selftest/personas/subjects.ts';
import { subjectKey } from '../../../selftest/subject.ts';
import { QUIET } from './quiet.ts';

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

const score = (...scored: readonly Scored[]) =>
  personasScore(scored, { seed: 1, cost: { durationMs: 1, requests: 1, runs: scored.length, workers: 1 } });
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

  it('are the names that were asked for, and no pairs', () => {
    const keys = personaSubjects({ ...all, modes: ['full'], names: ['3.5', 'vn+vn1'] }).map(subjectKey);
    expect(keys).toEqual(['clean full 1', 'persona 3.5 full 1', 'persona vn+vn1 full 1']);
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

  it('wants the word that a rule gives beside a requirement', () => {
    const [other, own] = [accused('sgt', 'PAY-C'), { ...accused('sgt', 'PAY-C'), text: 'expected generationId 7' }];
    expect(runOf(ran(['generation'], { accusations: [other, own] }))).toMatchObject({
      right: 1,
      false: [expect.any(String)],
    });
  });

  it('never takes an error, an early end or a cut for right', () => {
    const made = runOf(
      ran(['accept'], { accusations: [accused('sgt', 'CNV-HDR', 'error')], faults: ['x'], timedOut: true }),
    );
    expect([made?.right, made?.false.length]).toEqual([0, 3]);
  });

  it('counts as lost what the clean deployment decides, without what no suite can decide', () => {
    const both = open('gap/any', 'sgt');
    const made = score(
      ran([], {}, { open: [both] }),
      ran(['operator'], {}, { open: [both, open('record/create', 'sgt')] }),
      ran(['names'], {}, { open: [both, open('record/create', 'sgt')] }),
    );
    expect(made.scores.map(({ runs: [run] }) => [run?.lost.length, run?.unavoidable])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('meets the gate with right failures and few losses, and not with anything left, harmed or false', () => {
    const right = ran(['deletetype'], { exit: 1, accusations: [accused('sgt', 'CNV-HDR')] });
    expect(score(ran([]), right).met).toBe(true);
    expect(score(ran([])).met).toBe(false);
    expect(score(ran([]), ran(['names'], {}, { left: ['sgt/1'] })).met).toBe(false);
    expect(score(ran([]), ran(['names'], {}, { harmed: ['sgt/1'] })).met).toBe(false);
    expect(score(ran([]), ran(['names'], { accusations: [accused('sgt', 'PAY-C')] })).met).toBe(false);
    const many = Array.from({ length: 61 }, (_, index) => open('a/check', 'sgt', String(index)));
    expect(score(ran([]), ran(['names'], {}, { open: many })).met).toBe(false);
  });

  it('is printed with a row for each deployment and what is wrong with it', () => {
    const lines = personaLines(
      score(
        ran([]),
        ran(['names'], { exit: 5, accusations: [accused('sgt', 'PAY-C')] }, { left: ['sgt/1', 'sgt/2'] }),
        ran(['vn', 'vn1']),
      ),
    ).join('\n');
    expect(lines).toMatch(/^names +0 +1 +0 +0 +2 +5 +66 +190$/m);
    expect(lines).toMatch(/^vn\+vn1 /m);
    expect(lines).toContain('fail PAY-C: a/check|sgt: expected a; observed b');
    expect(lines).toContain('2  sgt');
    expect(lines).toContain('the gate is not met');
  });
});
