import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEGATIONS, OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import type { FamilyTable } from '../../../lib/contract/types.ts';
import { createDeployment } from '../../../reference/deployment.ts';
import type { Seams } from '../../../reference/seams.ts';

const FAMILY = 'thing';
const table: FamilyTable = {
  [FAMILY]: {
    name: FAMILY,
    title: 'Thing',
    purpose: 'made up',
    versions: ['3.1.1'],
    ops: ['list'],
    fields: { name: { type: 'string' }, size: { type: 'integer' } },
    filters: ['name', 'size'],
    sorts: ['name', 'size'],
    roots: {},
  },
};

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '.', '%', '_', ' ', 'ä', '日'),
  minLength: 1,
  maxLength: 4,
});
const row = fc.record({ name: text, size: fc.integer({ min: -20, max: 120 }) }, { requiredKeys: ['name'] });
const rows = fc.array(row, { maxLength: 30 });
const operator = fc.constantFrom(...OPERATOR_NAMES);

function withRows(given: readonly Record<string, unknown>[]): Seams {
  const { seams } = createDeployment({
    table,
    sessions: 1,
    seed: 1,
    csrf: false,
    credentials: { username: 'u', password: 'p' },
    deviations: [],
  });
  for (const { id } of seams.store.list(FAMILY).slice(0, 100)) void seams.store.remove(FAMILY, id);
  for (const fields of given) void seams.store.create(FAMILY, fields);
  return seams;
}

const triplet = (field: string, op: Operator, value: string): [string, string] => ['filter', `${field}.${op}.${value}`];

async function ids(seams: Seams, pairs: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const list = await seams.query.select(FAMILY, seams.query.plan(FAMILY, pairs));
  return list.slice(0, list.length).map(({ id }) => id);
}

const all = (seams: Seams) => ids(seams, []);

describe('laws of filters', () => {
  it('an operator and its negation part the records in two', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        text,
        fc.constantFrom(...(Object.keys(NEGATIONS) as Operator[])),
        async (given, value, op) => {
          const seams = withRows(given);
          const kept = await ids(seams, [triplet('name', op, value)]);
          const dropped = await ids(seams, [triplet('name', NEGATIONS[op] ?? op, value)]);
          expect(kept.filter((id) => dropped.includes(id))).toEqual([]);
          expect([...kept, ...dropped].sort()).toEqual([...(await all(seams))].sort());
        },
      ),
    );
  });

  it('LT, EQ and GT part the records that have the field in three', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: -20, max: 120 }), async (given, value) => {
        const seams = withRows(given);
        const parts = await Promise.all(
          (['LT', 'EQ', 'GT'] as const).map((op) => ids(seams, [triplet('size', op, String(value))])),
        );
        expect(parts.flat()).toHaveLength(new Set(parts.flat()).size);
        expect(parts.flat()).toHaveLength(given.filter(({ size }) => size !== undefined).length);
      }),
    );
  });

  it('AND is the intersection and OR the union, in either order', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        text,
        operator,
        fc.integer({ min: 0, max: 99 }),
        operator,
        async (given, name, op1, size, op2) => {
          const seams = withRows(given);
          const [a, b] = [triplet('name', op1, name), triplet('size', op2, String(size))];
          const [left, right] = [await ids(seams, [a]), await ids(seams, [b])];
          const order = await all(seams);
          expect(await ids(seams, [a, b])).toEqual(order.filter((id) => left.includes(id) && right.includes(id)));
          expect(await ids(seams, [b, a])).toEqual(await ids(seams, [a, b]));
          const either = await ids(seams, [a, b, ['filterType', 'OR']]);
          expect(either).toEqual(order.filter((id) => left.includes(id) || right.includes(id)));
        },
      ),
    );
  });
});

describe('laws of sorting and paging', () => {
  it('sorting is a permutation, ascends, and descending reverses distinct keys', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('name', 'size'), async (given, field) => {
        const seams = withRows(given);
        const up = await ids(seams, [['sortasc', field]]);
        expect([...up].sort()).toEqual([...(await all(seams))].sort());
        const keys = up.map((id) => seams.store.get(FAMILY, id)?.[field]).filter((key) => key !== undefined);
        for (const [index, key] of keys.entries())
          if (index > 0) expect((keys[index - 1] as string) <= (key as string)).toBe(true);
        const down = await ids(seams, [['sortdsc', field]]);
        const downKeys = down.map((id) => seams.store.get(FAMILY, id)?.[field]).filter((key) => key !== undefined);
        expect(downKeys).toEqual([...keys].reverse());
      }),
    );
  });

  it('the pages of any size hold every record once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (given, size) => {
        const seams = withRows(given);
        const seen: string[] = [];
        for (let page = 1, more = true; more; page += 1) {
          const plan = seams.query.plan(FAMILY, [
            ['sortasc', 'size'],
            ['size', String(size)],
            ['page', String(page)],
          ]);
          const list = await seams.query.select(FAMILY, plan);
          const range = seams.pager.range(plan, list.length);
          seen.push(...seams.pager.items(list, range, plan).map(({ id }) => id));
          more = range.hasNext;
        }
        expect(seen).toEqual(await ids(seams, [['sortasc', 'size']]));
      }),
    );
  });
});
