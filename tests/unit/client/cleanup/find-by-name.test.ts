import { describe, expect, it } from 'vitest';
import { findByName, nameReader, type Reader } from '../../../../lib/client/cleanup/find-by-name.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Filter } from '../../../../lib/wire/query.ts';

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
  it('is believed of filters that find another record of the beginning', async () => {
    expect(await looked([OTHER])).toMatchObject({ ids: [], isNone: true });
  });

  it('is believed of a filter that finds what the list shows, and not of one that does not', async () => {
    expect(await looked([THEIRS])).toMatchObject({ isNone: false });
    expect(await looked([THEIRS], {}, { twin: THEIRS.name })).toMatchObject({ isNone: true });
    expect(await looked([THEIRS, OURS], { EQ: NOTHING, STARTSW: NOTHING }, { twin: THEIRS.name })).toMatchObject({
      ids: [],
      isNone: false,
    });
  });

  it('is not believed for a name with a sign on the word of a twin without one', async () => {
    expect(await looked([THEIRS], {}, { name: "it's", twin: 'of others' })).toMatchObject({ isNone: false });
  });

  it('is believed of a whole list', async () => {
    expect(await looked([THEIRS], { EQ: REFUSED, STARTSW: REFUSED })).toMatchObject({ isNone: true });
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
