import { describe, expect, it } from 'vitest';
import { fingerprintWords, leftAsFound, leftWords, residueWords } from '../../../../lib/judge/left-as-found.ts';
import { leftOf } from '../../../../lib/records/run.ts';

const one = { family: 'ancendpoint', id: '02:00:00:00:00:01', command: 'curl' };
const removed = { ...one, standing: 'removed' } as const;
const unknown = { ...one, standing: 'unknown' } as const;

describe('what is left on a target', () => {
  it('counts as many records as an entry stands for', () => {
    expect(leftOf([])).toBe(0);
    expect(leftOf([one, { ...one, id: '31392 more endpoints', number: 31_392 }])).toBe(31_393);
  });

  it('is told apart from what is not proven gone and from what nobody could look for', () => {
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
  });

  it('is counted beside what may be of the run and was not touched', () => {
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
    ['sgt=not-known node=1:bb', 'sgt=2:aa node=1:bb', 'not known: the lists could not be read (sgt)'],
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
