import { describe, expect, it } from 'vitest';
import { numbersLeftOut, updatesLeftOut } from '../../../../../conformance/kit/record/left-out.ts';
import type { Exchange } from '../../../../../lib/client/types.ts';
import { type Made, type Rules, trialTarget } from '../../../../helpers/trial-target.ts';

const listOf = (family: string, query: string) =>
  ({ request: { op: 'list', family, path: `/ers/config/${family}?${query}` } }) as Exchange;

it.each<[string, string, (value: number, turn: number) => boolean, readonly number[], string | undefined]>([
  ['from one on', 'filter=value.GT.31&size=100', (value) => value > 32_767, [], 'value is at least 32768'],
  ['up to one', 'size=100&filter=value.LT.65000', (value) => value < 60_000, [], 'value is at most 59999'],
  ['beside those of others', 'filter=value.GT.31', (value) => value > 999, [32, 33], 'value is at least 1000'],
  ['all', 'filter=value.GT.31', () => true, [], undefined],
  ['by turns', 'filter=value.GT.31', (_, turn) => turn % 3 !== 1, [], undefined],
  ['of several filters', 'filter=value.GT.31&filter=name.EQ.a', (value) => value > 999, [], undefined],
])('which numbers a filter leaves a record out for %s', async (_, query, isLeftOut, taken, words) => {
  const { context, records } = trialTarget('sgt', {
    refuses: ({ op, fields }) => op === 'create' && taken.includes(Number(fields['value'])),
    hides: ({ now }, turn) => isLeftOut(Number(now['value']), turn),
  });
  records.set('r0', { first: {}, now: { value: 50_152 }, updates: 0 });
  expect(await numbersLeftOut(context, listOf('sgt', query), 'r0')).toBe(words);
  expect([...records.keys()]).toEqual(['r0']);
});

describe('which update of a record a list leaves it out for', () => {
  it.each<[string, (made: Made, turn: number) => boolean, string | undefined]>([
    ['a rename', ({ first, now }) => first['name'] !== now['name'], 'the record was renamed before'],
    ['any', ({ updates }) => updates > 0, 'the record was updated before'],
    ['none, if it leaves out all', () => true, undefined],
    ['none, if it leaves out some by turns', ({ updates }, turn) => updates > 0 && turn < 3, undefined],
  ] satisfies [string, Rules['hides'], string | undefined][])('%s', async (_, hides, words) => {
    const { context, records } = trialTarget('hotspotportal', { hides });
    records.set('r0', { first: { name: 'old' }, now: { name: 'cfm0' }, updates: 1 });
    const update = { request: { body: JSON.stringify({ P: { name: 'cfm0' } }) } } as Exchange;
    expect(await updatesLeftOut(context, listOf('hotspotportal', 'filter=name.EQ.cfm0'), update)).toBe(words);
    expect([...records.keys()]).toEqual(['r0']);
  });
});
