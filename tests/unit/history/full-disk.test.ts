import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { folderOfTests } from '../../helpers/folder.ts';
import { EXAMPLE_YEAR, simulatedHistory } from '../../helpers/simulated-history.ts';

/** Bytes that the disk still takes; then it is full in the middle of a write. */
let free = Number.POSITIVE_INFINITY;

async function fillingDisk(original: () => Promise<unknown>) {
  const fs = (await original()) as typeof import('node:fs');
  const writeSync = (descriptor: number, data: string | Buffer, ...rest: readonly number[]) => {
    if (typeof data === 'string') return fs.writeSync(descriptor, data);
    if (free === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const [offset = 0, length = data.length, position = null] = rest;
    const taken = Math.min(free, length);
    free -= taken;
    return fs.writeSync(descriptor, data, offset, taken, position);
  };
  return { ...fs, default: { ...fs, writeSync }, writeSync };
}

const lines = simulatedHistory(3, EXAMPLE_YEAR);
const folder = folderOfTests();
const file = join(folder, 'history.ndjson');
let appendHistory: typeof import('../../../reports/history/file/append.ts').appendHistory;
let readHistory: typeof import('../../../reports/history/file/append.ts').readHistory;

// Files of tests share their modules: these have to see the disk of this file, and no others may.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('node:fs', fillingDisk);
  ({ appendHistory } = await import('../../../reports/history/file/append.ts'));
  ({ readHistory } = await import('../../../reports/history/file/append.ts'));
});
afterAll(() => {
  vi.doUnmock('node:fs');
  vi.resetModules();
});

it('a history on a full disk stays as it was, says so, and takes the next line when there is room again', () => {
  appendHistory(file, () => lines.slice(0, 1));
  const before = readFileSync(file);
  free = 2_000;
  expect(() => appendHistory(file, () => lines.slice(1, 2))).toThrow('no space left on device');
  expect(free).toBe(0);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(`${file}.lock`)).toBe(false);
  free = Number.POSITIVE_INFINITY;
  appendHistory(file, () => lines.slice(1));
  expect(readHistory(file)).toEqual({ lines, skipped: [] });
});
