import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../../../cli/options/sweep-source.ts';
import { FILES } from '../../../../lib/records/folder/files.ts';
import { openRunFolder } from '../../../../lib/records/folder/writer.ts';
import { aHeader } from '../../../helpers/a-run.ts';

const RUN = '20260101-000000-gzb3';
let folder: string;
let journal: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sweep-source-'));
  journal = join(folder, FILES.journal);
  mkdirSync(dirname(journal));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
    expect(readJournal(folder).runId).toBe(RUN);
  });

  it('names no family that is not known: its records would not be looked for', () => {
    writeFileSync(journal, line(RUN) + line(RUN, 'internaluser'));
    expect(() => readJournal(folder)).toThrow('families that are not known: internaluser');
  });

  it('is empty if the run wrote nothing; one that is missing was lost', () => {
    const writer = openRunFolder(join(folder, 'run'));
    writer.header(aHeader({ runId: RUN }));
    writer.close();
    expect(readJournal(join(folder, 'run')).trail.records).toEqual([]);
    rmSync(join(folder, 'run', FILES.journal));
    expect(() => readJournal(join(folder, 'run'))).toThrow('cannot read the journal');
  });

  it('is read through no link', () => {
    writeFileSync(join(folder, 'elsewhere'), line(RUN));
    symlinkSync(join(folder, 'elsewhere'), journal);
    mkdirSync(join(folder, 'run', 'records'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'run', FILES.journal));
    expect(() => readJournal(join(folder, 'run'))).toThrow();
  });
});
