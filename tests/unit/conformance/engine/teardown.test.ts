import { expect, it } from 'vitest';
import { tearDown } from '../../../../conformance/engine/teardown.ts';
import { emptyTrace } from '../../../../conformance/engine/trace.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

it.each([
  [0, 1],
  [700, 4],
])(
  'records of a target that shows writes %d ms late are removed newest first, %d at one time',
  async (lateMs, most) => {
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
    const run = { client, table: FAMILIES, dialect: () => lateMs, writes } as unknown as Parameters<typeof tearDown>[0];
    await tearDown(run, trace);
    expect([[...new Set(removed)], atOnce]).toEqual([['d', 'c', 'b', 'a'], most]);
  },
);
