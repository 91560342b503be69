import { describe, expect, it } from 'vitest';
import { sendApply } from '../../../../conformance/checks/anc/fixture.ts';
import { casesOf } from '../../../../conformance/checks/headers.ts';
import { numberGenerated, numberOutside } from '../../../../conformance/checks/record/number.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family } from '../../../../lib/contract/types.ts';

/** A family with one ranged member; `or` are the numbers beside the range that its table names. */
const family = (range: readonly [number, number], or: readonly number[]): Family => ({
  ...{ ...FAMILIES.sgt, ops: ['read', 'list', 'create'] },
  fields: { id: { type: 'string' }, level: { type: { range, or } } },
});

const outside = (given: Family) => (numberOutside.variants?.(given) ?? []).map(({ name }) => name);

describe('checks of numbers with a range', () => {
  it('ask for a generated number only where the table names one that asks for it', () => {
    expect(numberGenerated.appliesTo(family([2, 9], [-1]), {})).toBe(true);
    expect(numberGenerated.appliesTo(family([2, 9], []), {})).toBe(false);
  });

  it('call no number outside that the table allows', () => {
    expect(outside(family([2, 9], [-1]))).toEqual(
      ['low-1', 'zero', 'below-generated', 'high+1', 'update'].map((kind) => `level.${kind}`),
    );
    expect(outside(family([2, 9], []))).toEqual(['level.low-1', 'level.zero', 'level.high+1', 'level.update']);
    expect(outside(family([1, 9], [0]))).toEqual(['level.below-generated', 'level.high+1', 'level.update']);
  });
});

it('a request that reads is asked with the other forms of Content-Type, whatever it reads', () => {
  const all = casesOf(['list', 'read', 'version', 'create', 'update', 'delete'], ['contentType'])(FAMILIES.sgt);
  const told = all.map(({ name, data }) => [name, data.value]);
  expect(told).toEqual([
    ...['list', 'read', 'version'].flatMap((op) => [
      [`${op}.contentType`, null],
      [`${op}.contentType.xml`, 'application/xml'],
      [`${op}.contentType.charset`, 'application/json;charset=UTF-8'],
    ]),
    ['delete.contentType', null],
  ]);
});

describe('an apply by IP address', () => {
  const answered = (status: number, body = '{}') => {
    const send = async (op: string) => ({
      status: op === 'list' ? 200 : status,
      ...{ json: { SearchResult: { resources: [] } }, headers: {}, body, request: { op } },
    });
    const anc = () => ({ effective: {} });
    const context = { family: FAMILIES.ancendpoint, send, run: { anc } } as unknown as Parameters<typeof sendApply>[0];
    const endpoint = { macAddress: '02:00:00:00:00:01', ipAddress: '10.0.0.1', policyName: 'P' };
    return sendApply(context, 'apply-by-ip', endpoint);
  };

  it.each([400, 404, 409, 422])('that is answered %i may have found no session', async (status) => {
    await expect(answered(status)).rejects.toThrow('no session');
    await expect(answered(500, '{"title":"Session lookup failure"}')).rejects.toThrow('no session');
  });

  it.each([204, 403, 415, 500])('that is answered %i was judged by the target', async (status) => {
    expect(await answered(status)).toMatchObject({ status });
  });
});
