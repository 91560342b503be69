import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { readJournal } from '../../../../cli/options/sweep-source.ts';
import { FILES } from '../../../../lib/records/folder/files.ts';
import { openRunFolder } from '../../../../lib/records/folder/writer.ts';
import { aHeader, writeRun } from '../../../helpers/a-run.ts';
import { folderOfTests } from '../../../helpers/folder.ts';
import { refusal } from '../../../helpers/refusal.ts';

const RUN = '20260101-000000-gzb3';
const folder = folderOfTests();
const journal = join(folder, FILES.journal);
mkdirSync(dirname(journal));

const line = (runId: string, family = 'sgt') =>
  `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', event: 'intent', runId, family, operation: 'create' })}\n`;

describe('the journal that a sweep goes by', () => {
  it.each(['prod', '', 'fu7yoall', '../x', `${RUN}x`])('is not one of a run whose id is %j', (runId) => {
    writeFileSync(journal, line(runId));
    expect(() => readJournal(folder)).toThrow('has no id of a run');
  });

  it('is that of one run', () => {
    writeFileSync(journal, line(RUN) + line('20260101-000000-gzb4'));
    expect(() => readJournal(folder)).toThrow('belongs to more than one run');
    writeFileSync(journal, line(RUN));
    const { runId, goesOn } = readJournal(folder);
    expect([runId, goesOn()]).toEqual([RUN, false]);
    writeFileSync(journal, line(RUN), { flag: 'a' });
    expect(goesOn()).toBe(true);
  });

  it('is that of a run that is on as long as the run holds it, although nothing is written to it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const run = join(folder, 'on');
    const writer = openRunFolder(run);
    writer.header(aHeader({ runId: RUN, mode: 'read-only' }));
    const told = readJournal(run);
    expect(Date.now() - told.trail.lastMs).toBeLessThan(20_000);
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(told.goesOn()).toBe(true));
    writer.close();
    const over = readJournal(run);
    vi.advanceTimersByTime(10_000);
    await sleep(50);
    expect(over.goesOn()).toBe(false);
    vi.useRealTimers();
  });

  it('names no family that is not known: its records would not be looked for', () => {
    writeFileSync(journal, line(RUN) + line(RUN, 'internaluser'));
    expect(() => readJournal(folder)).toThrow('families that are not known: internaluser');
  });

  it.each(['read-only', 'own-data'] as const)('is empty if the run wrote nothing, else it was lost: %s', (mode) => {
    const run = join(folder, mode);
    writeRun(run, { header: aHeader({ runId: RUN, mode }) });
    if (mode === 'read-only') expect(readJournal(run).trail.records).toEqual([]);
    else expect(() => readJournal(run)).toThrow('was cut');
    rmSync(join(run, FILES.journal));
    expect(() => readJournal(run)).toThrow('cannot read the journal');
  });

  it('is not quoted if it is some other file', () => {
    writeFileSync(journal, 'root:x:0:0:secret line\nmore\n');
    expect(refusal(() => readJournal(folder)).message).toMatch(/^(?!.*secret).* is not a journal: /);
  });

  it('is read through no link', () => {
    writeFileSync(join(folder, 'elsewhere'), line(RUN));
    mkdirSync(join(folder, 'run', 'records'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'run', FILES.journal));
    expect(() => readJournal(join(folder, 'run'))).toThrow();
  });
});
