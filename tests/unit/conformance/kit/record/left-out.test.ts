import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../../../conformance/kit/check.ts';
import { numbersLeftOut, updatesLeftOut } from '../../../../../conformance/kit/record/left-out.ts';
import type { Exchange, SendInput } from '../../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import type { Op } from '../../../../../lib/contract/types.ts';

const FIRST = 50_152;

const answer = (status: number, json: unknown, location = '') =>
  ({
    ...{ status, json, headers: { location } },
    body: JSON.stringify(json),
    request: { op: 'list' },
  }) as unknown as Exchange;
const listing = (ids: readonly string[]) =>
  answer(200, { SearchResult: { total: ids.length, resources: ids.map((id) => ({ id })) } });

/** What is told of a list that leaves out records with some numbers, and which records are left. */
async function told(query: string, isLeftOut: (value: number, turn: number) => boolean, taken: readonly number[] = []) {
  const records = new Map([['r0', FIRST]]);
  let turn = 0;
  const send = async (op: Op, { id = '', fields = {} }: SendInput = {}) => {
    if (op === 'read') return answer(200, { Sgt: { id, value: records.get(id) } });
    if (op === 'delete') return answer(records.delete(id) ? 204 : 404, {});
    const value = (fields as { value: number }).value;
    if (taken.includes(value)) return answer(400, {});
    records.set(`r${++turn}`, value);
    return answer(201, {}, `/ers/config/sgt/r${turn}`);
  };
  const raw = async () => {
    return listing([...records].flatMap(([id, value]) => (isLeftOut(value, turn) ? [] : [id])));
  };
  const context = {
    ...{ send, raw, payload: (over: object) => over, table: FAMILIES, family: FAMILIES.sgt },
    run: { mayCreate: () => true, dialect: () => 0 },
  } as unknown as CheckContext;
  const request = { op: 'list', family: 'sgt', path: `/ers/config/sgt?${query}` } as Exchange['request'];
  const words = await numbersLeftOut(context, { request } as Exchange, 'r0');
  return [words, [...records.keys()]];
}

describe('which numbers a filter leaves a record out for', () => {
  it.each<[string, string, (value: number, turn: number) => boolean, readonly number[], string | undefined]>([
    ['from one on', 'filter=value.GT.31&size=100', (value) => value > 32_767, [], 'value is at least 32768'],
    ['up to one', 'size=100&filter=value.LT.65000', (value) => value < 60_000, [], 'value is less than 60358'],
    ['beside those of others', 'filter=value.GT.31', (value) => value > 999, [32, 33], 'value is at least 1000'],
    ['all', 'filter=value.GT.31', () => true, [], undefined],
    ['by turns', 'filter=value.GT.31', (_, turn) => turn % 3 !== 1, [], undefined],
    ['of several filters', 'filter=value.GT.31&filter=name.EQ.a', (value) => value > 999, [], undefined],
  ])('%s', async (_, query, isLeftOut, taken, words) => {
    expect(await told(query, isLeftOut, taken)).toEqual([words, ['r0']]);
  });
});

/** What is told of a list that leaves out records for what was done to them. */
async function toldOfUpdates(
  isLeftOut: (made: { first: string; now: string; updates: number }, turn: number) => boolean,
) {
  const records = new Map([['r0', { first: 'old', now: 'cfm0', updates: 1 }]]);
  let turn = 0;
  const send = async (op: Op, { id = '', fields = {} }: SendInput = {}) => {
    const { name = '' } = fields as { name?: string };
    const held = records.get(id);
    if (op === 'create') {
      records.set(`r${++turn}`, { first: name, now: name, updates: 0 });
      return answer(201, {}, `/ers/config/byodportal/r${turn}`);
    }
    if (op === 'update' && held !== undefined) records.set(id, { ...held, now: name, updates: held.updates + 1 });
    if (op === 'delete') records.delete(id);
    return answer(200, { BYODPortal: { id, name: held?.now } });
  };
  const raw = async ({ path }: { path: string }) => {
    const shown = [...records].filter(([, made]) => path.endsWith(`.${made.now}`) && !isLeftOut(made, turn));
    return listing(shown.map(([id]) => id));
  };
  let names = 0;
  const context = {
    ...{ send, raw, payload: () => ({ name: `cfm1${++names}` }), table: FAMILIES, family: FAMILIES.byodportal },
    run: { mayCreate: () => true, dialect: () => 0 },
  } as unknown as CheckContext;
  const request = { op: 'list', family: 'byodportal', path: '/ers/config/byodportal?filter=name.EQ.cfm0' };
  const update = { request: { body: JSON.stringify({ P: { name: 'cfm0' } }) } };
  const [list, last] = [{ request }, update] as unknown as readonly [Exchange, Exchange];
  return [await updatesLeftOut(context, list, last), [...records.keys()]];
}

describe('which update of a record a list leaves it out for', () => {
  it.each<[string, Parameters<typeof toldOfUpdates>[0], string | undefined]>([
    ['a rename', ({ first, now }) => first !== now, 'the record was renamed before'],
    ['any', ({ updates }) => updates > 0, 'the record was updated before'],
    ['none, if it leaves out all', () => true, undefined],
    ['none, if it leaves out some by turns', ({ updates }, turn) => updates > 0 && turn < 3, undefined],
  ])('%s', async (_, isLeftOut, words) => {
    expect(await toldOfUpdates(isLeftOut)).toEqual([words, ['r0']]);
  });
});
