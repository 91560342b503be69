import { expect, it } from 'vitest';
import { memoryMibOf, watchGenerator } from '../../../load/k6/monitor.ts';

it('tells of a process that holds more memory than it may, at the first look', () => {
  const told: string[] = [];
  watchGenerator(process.pid, (reason) => told.push(reason), 1).stop(0);
  const isShown = memoryMibOf(process.pid) !== undefined;
  expect(told[0] ?? '').toEqual(
    isShown ? expect.stringMatching(/^k6 held \d+ MiB of memory, more than the 1 MiB/) : '',
  );
  watchGenerator(process.pid, () => expect.fail('the limit was not reached'), 1e9).stop(0);
});
