import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { findByName, nameReader, type Reader } from '../../../../lib/client/cleanup/find-by-name.ts';
import { journalTrail, touchedEndpoints, type Wave } from '../../../../lib/client/cleanup/outstanding.ts';
import { earliest, lateOf } from '../../../../lib/client/cleanup/sweep.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { JournalEntry } from '../../../../lib/records/conformance.ts';
import type { Filter } from '../../../../lib/wire/query.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

const file = join(folderOfTests(), 'pool.txt');

const entry = (event: JournalEntry['event'], more: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ at: '2026-01-31T02:00:00.000Z', runId: 'run-1', event, family: 'sgt', operation: 'create' },
  ...more,
});

const MAC = '02:00:00:00:00:01';
const source = { kind: 'range' as const, firstMac: '02:00:00:00:00:00' };
const wave = { source, offset: 0, size: 100, seed: 1, count: 50 };

const ANC = { family: 'ancendpoint', operation: 'apply' };

describe('what a journal says that a run touched', () => {
  it('is every record that was created, also one that it says was removed: a sweep looks for itself', () => {
    const made = entry('created', { id: '1', name: 'a' });
    const gone = entry('removed', { id: '1', operation: 'delete' });
    const { records, families } = journalTrail([entry('intent', { name: 'a' }), made, gone]);
    expect(records).toEqual([{ family: 'sgt', id: '1', name: 'a' }]);
    expect(families).toEqual(['sgt']);
  });

  it('is every endpoint and every wave once, also one that it says was cleared, whichever way its address is written', () => {
    const trail = journalTrail([
      entry('intent', { ...ANC, endpoint: MAC }),
      entry('cleared', { ...ANC, endpoint: MAC.replaceAll(':', '-') }),
      entry('intent', { ...ANC, endpoints: wave }),
      entry('cleared', { ...ANC, endpoints: { ...wave } }),
    ]);
    const uncleared = { endpoints: [], waves: [] };
    expect(trail).toMatchObject({ endpoints: [MAC], waves: [wave], families: [], uncleared });
  });
});

describe('the last write of a journal that may leave something', () => {
  const made = entry('intent', { name: 'a' });
  const at = '2026-01-31T02:00:30.000Z';
  const wait = (...journal: readonly JournalEntry[]) => lateOf(journalTrail(journal), new Date(at)) / 1000;

  it('may take effect for 20 s; what takes something off is not waited for', () => {
    const removal = entry('intent', { operation: 'delete', id: '1', at });
    expect(wait({ ...made, at: '2026-01-31T02:00:25.000Z' }, removal)).toBe(15);
    expect(wait({ ...made, at: '2099-01-31T02:00:25.000Z' })).toBe(20);
    expect(wait(made)).toBe(0);
  });

  it('is of unknown age in a wave that was not cleared', () => {
    const applied = entry('intent', { ...ANC, endpoints: wave });
    expect([wait(applied), wait(applied, entry('cleared', { ...ANC, endpoints: wave }))]).toEqual([20, 0]);
  });
});

describe('the endpoints that a journal touched', () => {
  const pool = readPool('02:00:00:00:00:00+100@10.0.0.0');
  const trailOf = (more: Partial<JournalEntry>) => journalTrail([entry('intent', { ...ANC, ...more })]);

  it('are numbers in the pool of the operator', () => {
    const trail = journalTrail([
      entry('applied', { ...ANC, endpoint: '10.0.0.7' }),
      entry('applied', { ...ANC, endpoints: { ...wave, source: pool.source as Wave['source'], count: 3 } }),
    ]);
    const indexes = touchedEndpoints(trail, pool);
    expect(indexes).toContain(7);
    expect(indexes.length).toBeLessThanOrEqual(4);
  });

  it('are those of a file only while it names the same in the same order', () => {
    const poolOf = (...lines: readonly string[]) => {
      writeFileSync(file, lines.join('\n'));
      return readPool(file);
    };
    const source = JournalEntry.shape.endpoints.unwrap().shape.source.parse(poolOf(MAC, '02:00:00:00:00:02').source);
    const trail = trailOf({ endpoints: { ...wave, source, size: 2, count: 1 } });
    expect(touchedEndpoints(trail, poolOf('# again', MAC, '', '02:00:00:00:00:02')).length).toBe(1);
    expect(() => touchedEndpoints(trail, poolOf('02:00:00:00:00:02', MAC))).toThrow('other endpoints than --endpoints');
  });

  it('are refused where one of them is beside the pool', () => {
    const trail = trailOf({ endpoint: '00:1B:21:AA:BB:CC' });
    expect(() => touchedEndpoints(trail, pool)).toThrow('such as 00:1B:21:AA:BB:CC, than --endpoints');
  });

  it.each<[string, Wave]>([
    ['another range', wave],
    ['more than the pool', { ...wave, source: pool.source as Wave['source'], size: 101 }],
    ['a file, where the operator named a range', { ...wave, source: { kind: 'file', path: '/etc/passwd' } }],
    ['more than its part', { ...wave, source: pool.source as Wave['source'], size: 10, count: 11 }],
  ])('are refused where a wave is of %s', (_what, endpoints) => {
    expect(() => touchedEndpoints(trailOf({ endpoints }), pool)).toThrow('other endpoints than --endpoints');
  });

  it('cannot be counted beyond the largest pool', () => {
    expect(JournalEntry.safeParse(entry('intent', { ...ANC, endpoints: { ...wave, count: 4e9 } })).success).toBe(false);
  });
});

it('the age of a run is taken by the clock of the target if that is behind', () => {
  const now = new Date('2026-01-31T12:00:00.000Z');
  const by = (date?: string) => earliest(now, date).toISOString().slice(11, 16);
  const told = ['Sat, 31 Jan 2026 09:00:00 GMT', 'Sat, 31 Jan 2026 15:00:00 GMT', 'no date', undefined].map(by);
  expect(told).toEqual(['09:00', '12:00', '12:00', '12:00']);
});

type Entry = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly resources?: readonly unknown[]; readonly total?: number };

const PREFIX = 'cfm0abcdefg';
const OURS = { id: 'ours', name: `${PREFIX}x1` };
const OTHER = { id: 'other', name: `${PREFIX}x2` };
const THEIRS = { id: 'theirs', name: 'of others' };

const HOLDS = {
  EQ: (name: string, value: string) => name === value,
  STARTSW: (name: string, value: string) => name.startsWith(value),
};
type Asked = keyof typeof HOLDS | 'all';

/** A deployment that holds some records, and answers as `bent` says to a filter or to the whole list. */
async function looked(
  held: readonly Entry[],
  bent: Partial<Record<Asked, Answer>> = {},
  { name = OURS.name, twin, reads }: { readonly name?: string; readonly twin?: string; readonly reads?: Entry } = {},
) {
  const read = (id: string) =>
    reads?.['id'] === id
      ? { status: 200, headers: {}, body: '', json: { Sgt: reads } }
      : { status: 500, headers: {}, body: '' };
  const asked: Asked[] = [];
  const send = (
    _family: string,
    op: string,
    { list, id }: { list?: { filters?: readonly Filter[] }; id?: string } = {},
  ) => {
    if (op === 'read') return read(String(id));
    const [filter] = list?.filters ?? [];
    const operator = (filter?.operator ?? 'all') as Asked;
    // A refused page size is asked for again without.
    if (asked.at(-1) !== operator) asked.push(operator);
    const fits = (one: Entry) =>
      operator === 'all' || HOLDS[operator](String(one['name'] ?? ''), String(filter?.value ?? ''));
    const { status, resources = held.filter(fits), total = resources.length } = bent[operator] ?? { status: 200 };
    return { status, headers: {}, body: '', json: status === 200 ? { SearchResult: { total, resources } } : {} };
  };
  const reader = { send, follow: send, options: { table: FAMILIES } } as unknown as Reader;
  return { ...(await findByName(reader, 'sgt', name, { names: nameReader(reader), twin })), asked };
}

const NOTHING: Answer = { status: 200, resources: [] };
const REFUSED: Answer = { status: 400 };

it.each<[string, Partial<Record<Asked, Answer>>, readonly Asked[]]>([
  ['by the filter for its name', {}, ['EQ']],
  ['by its beginning where the filter leaves it out', { EQ: NOTHING }, ['EQ', 'STARTSW']],
  ['by its beginning where the filter shows others', { EQ: { status: 200, resources: [OTHER] } }, ['EQ', 'STARTSW']],
  ['in the whole list where no filter is taken', { EQ: REFUSED, STARTSW: REFUSED }, ['EQ', 'STARTSW', 'all']],
])('a record that is there is found %s', async (_how, bent, asked) => {
  expect(await looked([THEIRS, OTHER, OURS], bent)).toEqual({ ids: ['ours'], isNone: false, asked });
});

it('a record that its list shows by a text cut short is found by the filter, if a read shows the name', async () => {
  const cut = { EQ: { status: 200, resources: [{ id: 'ours', name: `${PREFIX}…` }] }, STARTSW: NOTHING };
  expect(await looked([OURS], cut, { reads: OURS })).toMatchObject({ ids: ['ours'] });
  expect(await looked([OURS], cut, { reads: { ...OURS, name: OURS.name.toUpperCase() } })).toMatchObject({ ids: [] });
});

describe('that there is no such record', () => {
  const twin = THEIRS.name;
  const neither = { EQ: NOTHING, STARTSW: NOTHING };

  it.each<[string, boolean, ...Parameters<typeof looked>]>([
    ['that find another record of the beginning', true, [OTHER]],
    ['that find nothing', false, [THEIRS]],
    ['that find what the list shows', true, [THEIRS], {}, { twin }],
    ['that leave out what the list shows', false, [THEIRS, OURS], neither, { twin }],
    ['that find a twin without the sign of the name', false, [THEIRS], {}, { name: "it's", twin }],
    ['that are refused where the list is whole', true, [THEIRS], { EQ: REFUSED, STARTSW: REFUSED }],
  ])('is believed with filters %s: %s', async (_what, isNone, ...deployment) => {
    expect(await looked(...deployment)).toMatchObject({ ids: [], isNone });
  });

  it.each([
    ['an entry without an id', 1, [{}]],
    ['an entry whose id is nothing', 1, [{ id: null, name: 'theirs' }]],
    ['entries that are no objects', 2, [7, null]],
    ['a total and no entries', 1, []],
    ['a record whose name cannot be read', 1, [{ id: 'nameless' }]],
  ] as const)('is not believed of a list with %s', async (_what, total, resources) => {
    const all = { status: 200, total, resources };
    expect(await looked([], { EQ: REFUSED, STARTSW: REFUSED, all })).toMatchObject({ ids: [], isNone: false });
    expect(await looked([], { EQ: all, STARTSW: { status: 200, resources: [OTHER] } })).toMatchObject({
      isNone: false,
    });
  });
});
