import { describe, expect, it } from 'vitest';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { createDeployment } from '../../../reference/deployment.ts';
import { sortGivingWay } from '../../../reference/query/give-way.ts';
import { queryPairs } from '../../../reference/query/parameters.ts';

const table: FamilyTable = {
  thing: {
    name: 'thing',
    title: 'Thing',
    purpose: 'made up',
    versions: ['3.1.1'],
    ops: ['list', 'create'],
    fields: { name: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } },
    filters: ['name', 'size', 'on'],
    sorts: ['name', 'size'],
    roots: { resource: 'Thing' },
  },
};

const ROWS = [
  { name: 'b.a', size: 9, on: true },
  { name: 'B', size: 100, on: false },
  { name: 'a', size: 10 },
  { name: 'b' },
  { name: 'ba', size: 99, on: true },
];

function things() {
  const { seams } = createDeployment({
    table,
    sessions: 1,
    seed: 1,
    csrf: false,
    credentials: { username: 'u', password: 'p' },
    deviations: [],
  });
  for (const record of seams.store.list('thing').slice(0, 100)) void seams.store.remove('thing', record.id);
  for (const row of ROWS) void seams.store.create('thing', row);
  return async (query: string) => {
    const list = await seams.query.select('thing', seams.query.plan('thing', queryPairs(query)));
    return list.slice(0, list.length).map((record) => record['name']);
  };
}

describe('the list query', () => {
  const names = things();

  it.each([
    ['filter=name.EQ.b', ['b']],
    ['filter=name.EQ.b.a', ['b.a']],
    ['filter=name.STARTSW.b', ['b.a', 'b', 'ba']],
    ['filter=name.ENDSW.a', ['b.a', 'a', 'ba']],
    ['filter=name.CONTAINS..', ['b.a']],
    ['filter=name.GT.b', ['b.a', 'ba']],
    ['filter=size.GT.9', ['B', 'a', 'ba']],
    ['filter=size.LT.99', ['b.a', 'a']],
    ['filter=size.CONTAINS.9', ['b.a', 'ba']],
    ['filter=size.NEQ.9', ['B', 'a', 'b', 'ba']],
    ['filter=on.EQ.true', ['b.a', 'ba']],
    ['filter=on.NEQ.true', ['B', 'a', 'b']],
    ['filter=name.STARTSW.b&filter=size.GT.9', ['ba']],
    ['filter=name.EQ.B&filter=size.EQ.9&filterType=or', ['b.a', 'B']],
    ['filter=name.EQ.B&filter=size.EQ.9&FILTERTYPE=OR', ['b.a', 'B']],
    ['sortasc=size', ['b.a', 'a', 'ba', 'B', 'b']],
    ['sortdsc=size', ['B', 'ba', 'a', 'b.a', 'b']],
    ['sortasc=name', ['B', 'a', 'b', 'b.a', 'ba']],
    ['', ['b.a', 'B', 'a', 'b', 'ba']],
  ])('%s keeps %j', async (query, kept) => {
    expect(await names(query)).toEqual(kept);
  });

  it('reads repeated names, blanks as plus or escape, and values with an equals sign', () => {
    expect(queryPairs('filter=a.EQ.x+y&filter=a.EQ.p%2Bq&&b&c=d=e')).toEqual([
      ['filter', 'a.EQ.x y'],
      ['filter', 'a.EQ.p+q'],
      ['b', ''],
      ['c', 'd=e'],
    ]);
  });

  it('sorts long lists as short ones: all of them, and equal ones in their order', async () => {
    const items = Array.from({ length: 5000 }, (_, index) => ({ key: (index * 7919) % 50, index }));
    const expected = [...items].sort((a, b) => a.key - b.key || a.index - b.index);
    expect(await sortGivingWay(items, (a, b) => a.key - b.key)).toEqual(expected);
  });
});
