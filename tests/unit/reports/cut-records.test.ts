import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { aCellRecord, cellOf } from '../../helpers/a-cell-report.ts';
import { aHeader, aRun, given, writeRun } from '../../helpers/a-run.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();
const whole = join(folder, 'whole');

const judged = (run: string) => judge(readRunFolder(run), cellOf);

beforeAll(() => {
  const header = aHeader({ command: 'verify', options: given({ profiles: ['60k'], operations: ['apply-by-mac'] }) });
  const { runId, startedAt: at } = header;
  const intent = { at, event: 'intent', family: 'sgt', operation: 'create', name: 'a', runId } as const;
  writeRun(whole, aRun({ header, cells: [aCellRecord()], journal: [intent] }));
});

/** Every file of the run but its header, without which there is no run to read. */
function files(): string[] {
  const all = readdirSync(whole, { recursive: true, encoding: 'utf8' });
  return all.filter((name) => statSync(join(whole, name)).isFile() && name !== 'run.json');
}

describe('a run whose records were cut', () => {
  it('exits 0 when it is whole', () => {
    expect(judged(whole).exit).toEqual({ code: 0, reasons: [] });
  });

  it.each([0, 0.5, 0.99])('never exits 0 and is never complete when a file keeps its first %d', (share) => {
    for (const name of files()) {
      const run = join(folder, 'cut');
      cpSync(whole, run, { recursive: true });
      const text = readFileSync(join(whole, name));
      writeFileSync(join(run, name), text.subarray(0, Math.floor(text.length * share)));
      const report = judged(run);
      expect([report.exit.code === 0, report.complete], name).toEqual([false, false]);
      rmSync(run, { recursive: true });
    }
  });

  it('never exits 0 when whole lines are missing at the end of a file', () => {
    const run = join(folder, 'lines');
    cpSync(whole, run, { recursive: true });
    const lines = readFileSync(join(run, 'records/results.ndjson'), 'utf8').trimEnd().split('\n');
    writeFileSync(join(run, 'records/results.ndjson'), `${lines.slice(0, -1).join('\n')}\n`);
    const report = judged(run);
    expect([report.exit.code, report.complete]).toEqual([4, false]);
    expect(report.exit.reasons[0]?.text).toBe('30 of 31 results are there');
  });
});
