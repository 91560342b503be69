import { expect, it } from 'vitest';
import { tearDown } from '../../../../conformance/engine/teardown.ts';
import { emptyTrace } from '../../../../conformance/engine/trace.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

it.each([
  [0, 0, 1],
  [700, 0, 4],
  [0, 300, 4],
])('records shown %d ms late, made in %d ms, go newest first, %d at one time', async (lateMs, createMs, most) => {
  const removed: string[] = [];
  let [flying, atOnce] = [0, 0];
  const send = async (_family: string, op: string, { id = '' }) => {
    flying += 1;
    atOnce = Math.max(atOnce, flying);
    if (op === 'delete') removed.push(id);
    await Promise.resolve();
    flying -= 1;
    return { status: 403 };
  };
  const client = { view: () => client, options: { table: {} }, standing: () => 'ours', kept: () => undefined, send };
  const trace = emptyTrace('sgt');
  trace.fixtures.push(...['a', 'b', 'c', 'd'].map((id) => ({ family: 'sgt', id, sent: { name: id } })));
  const writes = { log: () => ({ broken: [] }) };
  const families = new Map([['sgt', { createMs }]]);
  const run = { client, table: FAMILIES, dialect: () => lateMs, learned: { families }, writes };
  await tearDown(run as unknown as Parameters<typeof tearDown>[0], trace);
  expect([[...new Set(removed)], atOnce]).toEqual([['d', 'c', 'b', 'a'], most]);
});
