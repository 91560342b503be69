import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HistoryRecord } from '../../lib/records/histories.ts';
import { Report } from '../../lib/records/report.ts';
import { runCli, scratchFolder, serveCli } from '../helpers/cli.ts';

const folder = scratchFolder();
const out = join(folder.path, 'run');
const histories = join(out, 'records/histories.ndjson');
const report = () => Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
const found = () => report().conformance?.results.find(({ checkId }) => checkId === 'survey/filters');
const render = () => runCli(['report', 'render', out]);

describe('a failure of a run whose target is gone', () => {
  beforeAll(async () => {
    const served = await serveCli(['--sessions', '500', '--defect', 'M27']);
    const what = ['--family', 'sgtvnvlan', '--check', 'list/envelope,survey/filters', '--mode', 'own-data'];
    await runCli(['conformance', '--base-url', served.baseUrl, ...what, '--out', out], { env: served.env });
    await served.close();
  });
  afterAll(() => folder.remove());

  it('stays one as long as its history shows it, to the byte', async () => {
    const [before, first] = [readFileSync(join(out, 'report.json'), 'utf8'), found()];
    expect(first).toMatchObject({ verdict: 'fail', requirement: 'FOP-EQ' });
    expect((await render()).code).toBe(1);
    expect(readFileSync(join(out, 'report.json'), 'utf8')).toBe(before);
  });

  it('says which pairs of conditions were tried', async () => {
    expect(report().conformance?.pairs).toMatchObject([{ family: 'sgtvnvlan' }]);
    expect((await render()).stdout).toMatch(/pairs of conditions: [\d\u202f]+ of [\d\u202f]+ exercised; not: /);
  });

  it('is inconclusive if its history shows nothing, and a run without its histories is not whole', async () => {
    const [line = ''] = readFileSync(histories, 'utf8').split('\n');
    const history = HistoryRecord.parse(JSON.parse(line));
    const { question } = history.observation;
    const nothing = { ...history, writes: [], observation: { question, shown: { pages: [[]], end: 'whole' } } };
    writeFileSync(histories, `${JSON.stringify(nothing)}\n`);
    expect((await render()).code).toBe(4);
    expect(found()).toMatchObject({
      verdict: 'inconclusive',
      reason: 'judged again by this version: no difference',
    });
    writeFileSync(histories, '');
    await render();
    expect([report().complete, found()?.verdict]).toEqual([false, 'fail']);
  });
});
