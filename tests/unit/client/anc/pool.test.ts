import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { macFormOf, USUAL_FORM, writtenMac } from '../../../../lib/client/anc/lookup.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { normalAddress } from '../../../../lib/client/safety/targets.ts';
import { partition } from '../../../../load/plan/plan.ts';
import { aStubClient } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { folderOfTests } from '../../../helpers/folder.ts';
import { EMPTY_LIST, json, type SeenRequest } from '../../../helpers/stub-target.ts';

const folder = folderOfTests();

function poolFile(text: string): string {
  const path = join(folder, 'endpoints.txt');
  writeFileSync(path, text);
  return path;
}

describe('a pool given as a range', () => {
  const pool = readPool('02:00:00:00:ff:fe+5@10.0.0.254');

  it('counts MAC and IP addresses up, across bytes', () => {
    expect(pool.size).toBe(5);
    expect(pool.at(2)).toEqual({ macAddress: '02:00:00:01:00:00', ipAddress: '10.0.1.0' });
    for (const one of ['02:00:00:00:00:01', '02:00:00:00:00:01,10.0.0.1']) expect(readPool(one).size).toBe(1);
  });

  it('knows its endpoints by MAC address in any spelling and by IP address, and no others', () => {
    for (const address of ['02:00:00:01:00:02', '02-00-00-01-00-02', '0200.0001.0002', '10.0.1.2'])
      expect(pool.indexOf(address), address).toBe(4);
    for (const address of ['02:00:00:01:00:03', '02:00:00:00:FF:FD', '10.0.1.3', '10.0.0.253', 'x', ''])
      expect(pool.indexOf(address), address).toBeUndefined();
  });

  it.each([
    '02:00:00:00:00:00+0',
    '02:00:00:00:00:00+99999999',
    '02:00:00:00:00:00+5@10.0.0.300',
    '02:00:00:00:00+5',
    'FE:FF:FF:FF:FF:FE+9',
    '02:00:00:00:00:00+9@255.255.255.250',
  ])('is refused when it is %s', (spec) => {
    expect(() => readPool(spec)).toThrow(expect.objectContaining({ code: 'bad-endpoints' }));
  });

  it('is refused with addresses of vendors unless they are allowed outright, and with group addresses always', () => {
    expect(() => readPool('00:11:22:33:44:55+2')).toThrow(expect.objectContaining({ code: 'foreign-endpoints' }));
    expect(readPool('00:11:22:33:44:55+2', { allowForeign: true }).size).toBe(2);
    expect(() => readPool('03:00:00:00:00:00+2', { allowForeign: true })).toThrow(/group address/);
  });
});

describe('a pool given as a file', () => {
  it('has one endpoint a line, and comments and blank lines count for nothing', () => {
    const pool = readPool(poolFile('# lab\n02:00:00:00:00:0a, 10.0.0.1\n\n02:00:00:00:00:0B,10.0.0.2\n'));
    expect([pool.size, pool.hasIps]).toEqual([2, true]);
    expect(pool.at(0)).toEqual({ macAddress: '02:00:00:00:00:0A', ipAddress: '10.0.0.1' });
    expect(pool.indexOf('10.0.0.2')).toBe(1);
  });

  it.each([
    ['02:00:00:00:00:01\nnonsense', /line 2/],
    ['02:00:00:00:00:01,10.0.0.1,more', /line 1/],
    ['02:00:00:00:00:01\n02:00:00:00:00:01', /line 2.*twice/],
    ['02:00:00:00:00:01\n00:11:22:33:44:55', /line 2.*locally administered/],
    ['# nothing', /names no endpoint/],
  ])('is refused with the number of the line: %j', (text, message) => {
    expect(() => readPool(poolFile(text))).toThrow(message);
  });

  it('that cannot be read is refused with both ways to name a pool', () => {
    expect(() => readPool(join(folder, 'missing'))).toThrow(/neither a range nor a readable file/);
  });
});

it('the parts of a pool are disjoint, of nearly the same size, and together the whole', () => {
  expect(partition(100, 3).flatMap(({ offset, size }) => [offset, size])).toEqual([0, 33, 33, 33, 66, 34]);
});

describe('the form in which a target writes MAC addresses', () => {
  it.each([
    '02:AB:00:00:00:0F',
    '02:ab:00:00:00:0f',
    '02-AB-00-00-00-0F',
    '02ab.0000.000f',
    '02AB0000000F',
    '02ab00-00000f',
  ])('is learned from %s, and gives it back', (text) => {
    const form = macFormOf(text);
    expect(form && writtenMac('02:AB:00:00:00:0F', form)).toBe(text);
  });

  it('writes the beginning of an address as the whole one', () => {
    expect(writtenMac('02AB0', USUAL_FORM)).toBe('02:AB:0');
    expect(writtenMac('02AB00', { separator: '.', group: 4, upper: false })).toBe('02ab.00');
  });

  it('is none of a text that is no address', () => {
    for (const text of ['', 'sensor-7', '02:AB:00:00:00', '02:AB:00:00:00:0F:11', '10.0.0.1'])
      expect(macFormOf(text), text).toBeUndefined();
  });
});

type Lie = (request: SeenRequest, response: ServerResponse) => boolean;

describe('a pool without the endpoints that hold a policy', () => {
  it('numbers the others without a gap, and finds each by either of its addresses', async () => {
    const pool = readPool('02:00:00:00:00:00+6@10.0.0.0');
    const anc = ancStub({});
    for (const index of [1, 3]) anc.held.set(pool.at(index).macAddress, 'Other');
    const { client } = await aStubClient({ mode: 'full', pool, policies: ['Test'] }, anc.answer);
    const free = freePool(pool);
    await free.settle(client, false);
    expect(free.size).toBe(4);
    for (let index = 0; index < free.size; index += 1) {
      const { macAddress, ipAddress = '' } = free.at(index);
      expect([free.indexOf(normalAddress(macAddress)), free.indexOf(ipAddress)]).toEqual([index, index]);
    }
    expect(free.indexOf(pool.at(1).macAddress)).toBeUndefined();
    expect([0, 1].map((index) => free.wasFree?.(pool.at(index).macAddress))).toEqual([true, false]);
  });

  const isFilter = (url: string) => url.includes('filter=');
  const says = (status: number, body: object) => (response: ServerResponse) => {
    json(response, status, body);
    return true;
  };
  const [unlisted, nothing] = [says(500, {}), says(200, EMPTY_LIST)];
  const LIES: readonly (readonly [string, Lie, number])[] = [
    ['finds them by the filter where the list is too long to walk', () => false, 38],
    ['takes none where the list answers an error', ({ url }, answer) => !isFilter(url) && unlisted(answer), 0],
    ['takes none where the filter finds nothing', ({ url }, answer) => isFilter(url) && nothing(answer), 0],
    ['takes none where neither is answered', (_, answer) => unlisted(answer), 0],
  ];
  it.each(LIES)('%s', async (_, lie, free) => {
    const pool = readPool('02:00:00:00:00:00+40@10.0.0.0');
    const anc = ancStub({ endless: true });
    for (const index of [1, 3]) anc.held.set(pool.at(index).macAddress, 'Other');
    anc.held.set('02:00:00:00:AB:CD', 'Other');
    const { client } = await aStubClient(
      { mode: 'full', pool, policies: ['Test'] },
      (request, answer) => lie(request, answer) || anc.answer(request, answer),
    );
    const view = freePool(pool);
    await view.settle(client, false);
    expect(view.size).toBe(free);
    expect([1, 3].map((index) => view.wasFree(pool.at(index).macAddress))).toEqual([false, false]);
  });
});
