import { expect, it } from 'vitest';
import { leftFindings } from '../../../../cli/output/finding.ts';

it('says what a clean-up left, with exit 5, also what it left alone; nothing only if there is neither', () => {
  const one = { family: 'sgt', id: '7', command: 'curl' };
  const told = (...given: Parameters<typeof leftFindings>) =>
    leftFindings(...given).map(({ subject, found, exit }) => [subject, found, exit]);
  expect(told({ created: 1, removed: 1, residue: [] })).toEqual([['left on the target', 'nothing', 0]]);
  expect(told({ created: 1, removed: 0, residue: [one], leftAlone: [{ ...one, why: 'why' }] })).toEqual([
    ['left on the target', 'sgt 7', 5],
    ['may be of the run, left alone', 'sgt 7: why', 5],
  ]);
});
