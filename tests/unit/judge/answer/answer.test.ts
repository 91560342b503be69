import { describe, expect, it } from 'vitest';
import { makeAnswer } from '../../../../lib/judge/answer/answer-of.ts';
import { isTooSlow, loadReasons, loadSentence } from '../../../../lib/judge/answer/cells.ts';
import { measured, say, shown, words } from '../../../../lib/judge/answer/statement.ts';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { stopWords } from '../../../../lib/judge/cell/rules/rule.ts';
import { judge } from '../../../../lib/judge/judge.ts';
import { fingerprintWords, leftAsFound, leftWords, residueWords } from '../../../../lib/judge/left-as-found.ts';
import { scopeOf } from '../../../../lib/judge/scope.ts';
import { type Answer, statementText } from '../../../../lib/records/answer.ts';
import { leftOf } from '../../../../lib/records/run.ts';
import { some } from '../../../../lib/text.ts';
import { aCell, someFacts } from '../../../helpers/a-cell-report.ts';
import { anEnd, aRun } from '../../../helpers/a-run.ts';

const parts: Answer = {
  ...{ ending: 'met', tone: 'good', asked: '', notShown: [], next: [] },
  sentence: say('load', 'met', 'all hold'),
  reasons: [],
};

describe('a statement', () => {
  it('carries with each figure the cells that it came from', () => {
    const said = say('load 60k', 'met', words`${2} of ${measured('250/s', [aCell({ id: 'a' })])}, held`);
    expect(statementText(said)).toBe('2 of 250/s, held');
    expect(said.words[2]).toEqual({ text: '250/s', from: [{ kind: 'cell', id: 'a' }] });
  });

  it('takes no figure from an invalid cell, and none that nothing was seen in', () => {
    expect(() => measured('376/s', [aCell(), aCell({ id: 'b', verdict: 'invalid' })])).toThrow(/invalid cell b/);
    expect(() => measured('376/s', [])).toThrow(/no cell/);
    expect(() => shown('3 checks', [])).toThrow(/no check/);
  });
});

describe('an answer', () => {
  it('says one thing of each fact', () => {
    const reasons = [{ ...say('load', 'too slow', 'it is too slow'), code: 1 }];
    expect(() => makeAnswer({ ...parts, reasons })).toThrow(/load is said to be met and too slow/);
  });

  it('gives its reasons by their weight', () => {
    const reasons = [0, 4, 1, 7, 5].map((code) => ({ ...say(`fact ${code}`, 'so', 'words'), code }));
    expect(makeAnswer({ ...parts, reasons }).reasons.map(({ code }) => code)).toEqual([5, 1, 4, 7, 0]);
  });
});

it('tells what the target refused at first and took when it was sent again', () => {
  const takenLater = [{ answer: '503 "busy"', count: 14, request: 'GET sgt' }];
  const { answer } = judge(aRun({ end: anEnd({ takenLater }) }), judgeCell);
  expect(answer.reasons.map(statementText).join('\n')).toMatch(
    /the target answered 503 "busy" to 14 of 1.904 requests \(first GET sgt\): each was taken when it was sent again/,
  );
});

describe('a load whose rate was held, and whose target lost what it took', () => {
  const rule = { text: 'a rule', measured: 'so much', limit: 'none', effect: 'violated', holds: false } as const;
  const cellWith = (id: string) => aCell({ verdict: 'violated', failed: 0, rules: [{ ...rule, id }] });

  it('is called too slow only if a rule of speed alone is broken', () => {
    const ids = ['reconciled', 'policies-proven', 'effect-proven', 'rate-held'];
    expect(ids.filter((id) => isTooSlow(cellWith(id)))).toEqual(['rate-held']);
    expect(isTooSlow({ ...cellWith('rate-held'), failed: 3 })).toBe(false);
  });

  it('held it, if it answered later than the operator asked for and nothing else is broken', () => {
    const late = cellWith('slo-p99');
    expect(isTooSlow(late)).toBe(false);
    const load = { verdict: 'violated', cells: [late] } as never;
    const said = statementText(loadSentence(load, { ...scopeOf(aRun()), cells: [] }));
    expect(said).toBe('60k apply-by-mac holds 250/s; p99 of the response time is so much, asked were at most none');
    expect(loadReasons(load, scopeOf(aRun()))[0]?.code).toBe(1);
  });

  it('did not hold it, in the words of the server, if transactions failed', () => {
    const failure = { kind: 'server-error', status: 500, errorCode: '1500', count: 9, example: 'no node' } as const;
    const cell = { ...cellWith('no-failures'), failed: 9, facts: someFacts({ failures: [failure] }) };
    const said = loadSentence({ verdict: 'violated', cells: [cell] } as never, { ...scopeOf(aRun()), cells: [] });
    expect(statementText(said)).toContain('; the answer was 500 "no node"');
    const done = { ...cellWith('answered-with-success'), verdict: 'invalid', reasons: ['answered 500'] } as const;
    const [reason] = loadReasons({ verdict: 'invalid', cells: [done] } as never, scopeOf(aRun()));
    expect(reason && statementText(reason)).toBe('60k apply-by-mac: answered 500');
    const failures = [{ count: 9 }, { kind: 'auth', status: 403, count: 3, example: 'no' }] as never;
    const told = stopWords({ failures }, { rule: 'forbidden', text: '3 were refused' });
    expect(told).toBe('3 were refused; the answer was 403 "no"');
  });
});

const one = { family: 'ancendpoint', id: '02:00:00:00:00:01', command: 'curl' };
const removed = { ...one, standing: 'removed' } as const;
const unknown = { ...one, standing: 'unknown' } as const;

describe('what is left on a target', () => {
  it('counts as many records as an entry stands for, and is told apart from what is not proven gone and from what nobody could look for', () => {
    expect(some(['first', 'second'], 1, 48)).toBe('first and 49 more');
    expect([leftOf([]), leftOf([one, { ...one, id: '31392 more endpoints', number: 31_392 }])]).toEqual([0, 31_393]);
    expect(residueWords([one, one, removed, unknown, { ...one, standing: 'doubtful' }])).toBe(
      '2 records left on the target, 1 record removed but not proven gone, 1 write of unknown outcome, 1 record possibly of the run',
    );
    const fingerprint = { before: 'sgt=1:aa', after: 'sgt=1:aa', equal: true };
    const words = (residue: Parameters<typeof residueWords>[0], compared?: typeof fingerprint) =>
      leftAsFound({ source: 'end', created: 1, removed: 1, residue, ...(compared && { fingerprint }) }).words;
    expect([words([one, unknown]), words([removed]), words([]), words([], fingerprint)]).toEqual([
      'NO',
      'not proven: not all could be looked for',
      'YES, in what it wrote to; nothing else was compared',
      'YES',
    ]);
    const taken = { created: 1, removed: 1, residue: [], takenOver: 3, fingerprint };
    const cleared = 'NO: --take-over cleared the policies of 3 endpoints';
    expect(leftAsFound({ source: 'end', ...taken })).toEqual({ proven: false, words: cleared });
    const leftAlone = [{ ...one, why: 'its name is ours' }];
    expect([leftWords({ residue: [removed], leftAlone }), leftWords({ residue: [] })]).toEqual([
      '1 record removed but not proven gone, 1 record left alone that may be of the run',
      '',
    ]);
  });
});

describe('the records that a run did not make', () => {
  it.each([
    ['sgt=2:aa node=1:bb', 'sgt=2:cc node=1:bb', 'changed while the run was on in sgt (others may have written)'],
    ['sgt=2:aa node=1:bb', 'sgt=2:cc node=not-known', 'changed while the run was on in sgt (others may have written)'],
    ['sgt=2:aa node=1:bb', 'sgt=2:aa node=not-known', 'not known: the lists could not be read (node)'],
    ['sgt=not-known', 'sgt=not-known', 'not known: the lists could not be read (sgt)'],
  ])('%s and then %s are %s', (before, after, words) => {
    expect(fingerprintWords({ fingerprint: { before, after, equal: false }, residue: [] })).toBe(words);
  });

  it('are not told apart from what the run left in their family', () => {
    const fingerprint = { before: 'ancendpoint=2:aa', after: 'ancendpoint=3:bb', equal: false };
    expect(fingerprintWords({ fingerprint, residue: [one] })).toBe(
      'not known in ancendpoint, where the run left something',
    );
  });
});
