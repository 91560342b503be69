import { expect, it } from 'vitest';
import { CellFacts } from '../../../lib/records/load/load.ts';
import { aCell } from '../../helpers/a-cell.ts';

it.each([
  { durationSeconds: 1e308 },
  { bucketSeconds: 1e-300 },
  { targetPerSecond: 1e300 },
  { durationSeconds: 1e6, bucketSeconds: 1 },
])('facts of a cell whose figures would fill the memory are no facts: %j', (more) => {
  const { facts } = aCell();
  const read = (plan: object) => CellFacts.safeParse({ ...facts, plan: { ...facts.plan, ...plan } }).success;
  expect([read({}), read(more)]).toEqual([true, false]);
});
