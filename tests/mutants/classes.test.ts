import { expect, it } from 'vitest';
import { scoreOfLines } from '../helpers/in-selftest.ts';

// One of each space; `selftest` takes as many lines as it is asked for.
it.each([
  ['generated', 'a bulk create that does nothing every second time', 'bulk-undone sxpvpns action=create @second'],
  ['held-out', 'a list while a record is made', 'queries-while-written sgt kind=plain effect=first-twice @always'],
] as const)('the suite alone finds a %s defect: %s', { timeout: 300_000 }, async (space, _mistake, line) => {
  const { survivors, total } = await scoreOfLines(space, [line], 'quick');
  expect(survivors).toEqual([]);
  expect(total).toMatchObject({ killed: 1, of: 1 });
});
