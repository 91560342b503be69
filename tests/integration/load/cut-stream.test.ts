import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/defined.ts';
import { seededRandom } from '../../../lib/random.ts';
import { TAIL_MS } from '../../../lib/wire/scenario.ts';
import type { K6Binary } from '../../../load/k6/binary/binary.ts';
import { runCell } from '../../../load/k6/facts.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { k6Csv } from '../../helpers/k6-csv.ts';
import { aSpec, judgeRun } from '../../helpers/k6-run.ts';

const folder = folderOfTests();

const spec = aSpec('http://127.0.0.1:9');
const arrivals = Math.ceil(spec.ratePerSecond * (spec.durationSeconds + TAIL_MS / 1000));
const csv = k6Csv(Array.from({ length: arrivals }, () => ({})));

/** A generator that writes the first bytes of a good recording and ends with this code. */
function replay(bytes: number, code = 0): K6Binary {
  const recording = join(folder, 'recording.csv');
  const path = join(folder, `k6-${bytes}-${code}`);
  writeFileSync(recording, csv);
  // A whole recording takes as long as a second of a cell would: read in an instant, it looks like a collector at its limit.
  const pause = bytes === csv.length ? 'sleep 1\n' : '';
  writeFileSync(path, `#!/bin/sh\nhead -c ${bytes} ${recording}\n${pause}exit ${code}\n`);
  chmodSync(path, 0o755);
  return { path, version: '2.2.0', sha256: 'a'.repeat(64) } as K6Binary;
}

async function judged(k6: K6Binary, spareMs?: number) {
  const bundle = join(folder, 'bundle.js');
  writeFileSync(bundle, '');
  return judgeRun(await runCell(spec, { k6, bundle, env: process.env, ...defined({ spareMs }) }), spec);
}

const verdictOf = async (k6: K6Binary): Promise<string> => (await judged(k6)).verdict;

describe('a stream that is cut', () => {
  it('is met when it is whole, so that it is the cut that counts', async () => {
    const { verdict, reasons } = await judged(replay(csv.length));
    expect([verdict, ...reasons]).toEqual(['met']);
  });

  it('is never met, at 15 of the last bytes and 25 random ones, although the generator ends with code 0', async () => {
    const random = seededRandom(20261121);
    const verdicts: string[] = [];
    // The last rows are looked at closely.
    const bytes = (cut: number) => (cut < 15 ? csv.length - 10 * cut - 1 : Math.floor(random() * csv.length));
    for (let cut = 0; cut < 40; cut += 1) verdicts.push(await verdictOf(replay(bytes(cut))));
    expect(verdicts.filter((verdict) => verdict === 'invalid')).toHaveLength(40);
  });

  it('is not met either when it is whole and the generator ends with another code', async () => {
    expect(await verdictOf(replay(csv.length, 255))).toBe('invalid');
  });
});

it('a generator that hangs is stopped when it should have ended long ago', async () => {
  const path = join(folder, 'k6-hangs');
  writeFileSync(path, '#!/bin/sh\ntrap "" INT\nsleep 60\n', { mode: 0o755 });
  const { facts, verdict } = await judged({ path, version: '2.2.0', sha256: '' }, -2000);
  expect([facts.stopped?.rule, facts.generator.signal, verdict]).toEqual(['generator-time', 'SIGKILL', 'invalid']);
});
