import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../../cli/session/judged-again.ts';
import { redactedWriter, redactor } from '../../../lib/client/redaction/redact.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { HistoryRecord } from '../../../lib/records/histories.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { anEnd, aResult, writeRun } from '../../helpers/a-run.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const scratch = folderOfTests();
let made = 0;

const failure = aResult({
  ...{ checkId: 'survey/filters', family: 'sgt', requirement: 'FOP-EQ', verdict: 'fail' },
  ...{ expected: 'the record one', observed: 'not among 0' },
  failure: { kind: 'records', operation: 'list', subject: 'filter name.EQ' },
});

/** A filter for one name that shows the records of these ids; there is one record, `one`, of this name. */
function aHistory(ids: readonly string[], { name = 'Alpha', field = 'name', family = 'sgt' } = {}): HistoryRecord {
  return HistoryRecord.parse({
    ...{ checkId: 'survey/filters', family: 'sgt', facts: { caseRule: 'sensitive', largestPage: 100 } },
    writes: [{ kind: 'create', family, id: 'one', sent: { name }, form: 'json', end: 'done' }],
    observation: {
      question: { window: 'list', family, filters: [{ field, operator: 'EQ', value: name }] },
      shown: { pages: [ids.map((id) => ({ id, record: { name } }))], end: 'whole' },
    },
  });
}

/** Folder of a run with a failure that rests on a history. */
function aFolder(history: HistoryRecord, password = 'a-password-for-tests'): string {
  made += 1;
  const folder = join(scratch, String(made));
  const writer = redactedWriter(openRunFolder(folder), () => redactor({ username: 'tester', password }));
  writeRun(folder, { histories: [history], results: [failure], end: anEnd() }, writer);
  return folder;
}

const verdictOf = (history: HistoryRecord, password?: string) => readRun(aFolder(history, password)).results[0];

describe('a failure whose grounds are recorded', () => {
  it('stays one if the oracle sees a difference in them', () => {
    expect(verdictOf(aHistory([]))).toEqual(failure);
  });

  it('proves nothing any more if the oracle sees none, and says so', () => {
    expect(verdictOf(aHistory(['one']))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'judged again by this version: no difference',
      observed: 'not among 0',
    });
  });

  it('stays one if they are gone, in a run that is not whole', () => {
    const folder = aFolder(aHistory(['one']));
    writeFileSync(join(folder, FILES.histories), '');
    const report = judge(readRun(folder), cellOf);
    expect([report.complete, report.conformance?.results[0]]).toEqual([false, expect.objectContaining(failure)]);
  });

  it('stays one if they hold something that was redacted', () => {
    const history = aHistory(['one'], { name: 'Alpha secret-word' });
    expect(verdictOf(history, 'secret-word')).toEqual(failure);
    const folder = aFolder(history, 'secret-word');
    expect(JSON.stringify(readRunFolder(folder))).not.toContain('secret-word');
    expect(readRunFolder(folder).histories?.[0]?.redacted).toBe(true);
  });

  it('never keeps the value of a member that is a secret by its name', () => {
    const history = aHistory(['one']);
    const [write] = history.writes;
    const secret = { ...history, writes: [{ ...write, sent: { name: 'Alpha', password: 'of somebody' } }] };
    const [kept] = readRunFolder(aFolder(HistoryRecord.parse(secret))).histories ?? [];
    expect(kept).toMatchObject({ redacted: true, writes: [{ sent: { name: 'Alpha', password: '[redacted]' } }] });
  });

  it.each(['constructor', '__proto__', 'toString', 'nothing'])(
    'stays one if no family or field is called %s',
    (name) => {
      expect(verdictOf(aHistory(['one'], { family: name }))).toEqual(failure);
      expect(() => verdictOf(aHistory(['one'], { field: name }))).not.toThrow();
    },
  );
});

it('the grounds of a failure are bounded', () => {
  const many = Array.from({ length: 201 }, (_, at) => `id ${at}`);
  const writes = many.map(() => aHistory([]).writes[0]);
  expect(HistoryRecord.safeParse({ ...aHistory([]), writes }).success).toBe(false);
  expect(() => aHistory(many)).toThrow(/at most 200/);
});
