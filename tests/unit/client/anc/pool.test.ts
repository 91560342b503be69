import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { partition } from '../../../../load/plan/plan.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

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
