import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aHeader, aResult } from '../helpers/a-run.ts';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests, referenceOfTests } from '../helpers/served.ts';
import { stubTarget } from '../helpers/stub-target.ts';
import { colleagueOn, targetPrint } from '../helpers/target-print.ts';

const RUN_ID = '20260131-020000-ab12';
const AT = '2026-01-31T02:00:00.000Z';

describe('a run folder from somewhere else', () => {
  const scratch = folderOfTests();
  const server = referenceOfTests({ sessions: 50 });
  const elsewhere = ofTests(() => stubTarget((_request, response) => response.end('{}')));

  /** Writes a folder with a journal and, unless told otherwise, a header that names another deployment. */
  function crafted(name: string, lines: readonly object[], hasHeader = true): string {
    const folder = join(scratch, name);
    mkdirSync(join(folder, 'records'), { recursive: true });
    const journal = lines.map((line) => JSON.stringify({ at: AT, runId: RUN_ID, operation: 'create', ...line }));
    writeFileSync(join(folder, 'records/journal.ndjson'), `${journal.join('\n')}\n`);
    const target = { baseUrl: elsewhere.baseUrl, embedded: false, insecure: false };
    const options = { endpoints: '02:00:00:00:00:00+10', policy: 'X' };
    const header = aHeader({ runId: RUN_ID, target, options });
    if (hasHeader) writeFileSync(join(folder, 'run.json'), JSON.stringify(header));
    return folder;
  }

  it('decides neither where the login goes nor what may be written', async () => {
    const folder = crafted('target', [{ event: 'intent', family: 'sgt', name: 'any' }]);
    writeFileSync(join(folder, 'records/results.ndjson'), '');
    const sweep = await runCli(['sweep', '--journal', folder, '--dry-run'], { env: server.env });
    expect([sweep.code, sweep.stderr]).toEqual([2, expect.stringContaining('no deployment was named')]);
    const result = aResult({ checkId: 'record/create', family: 'sgt', requirement: 'OP-sgt-C' });
    writeFileSync(join(folder, 'records/results.ndjson'), `${JSON.stringify(result)}\n`);
    const replay = ['report', 'replay', folder, 'record/create', '--family', 'sgt'];
    expect((await runCli(replay, { env: server.env })).code).toBe(2);
    const unasked = await runCli([...replay, '--base-url', server.baseUrl], { env: server.env });
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('give --mode full')]);
    expect(elsewhere.seen).toEqual([]);
  });

  it('makes a sweep remove no record and clear no endpoint of somebody else', async () => {
    const { makes, applies } = colleagueOn(server);
    const id = await makes({ name: 'Visitors 7', value: 4001 });
    const device = '02:00:00:00:00:05';
    await applies(device, server.policies[0]);
    const before = await targetPrint(server);
    const records = [
      { event: 'created', family: 'sgt', id, name: 'Visitors 7' },
      { event: 'intent', family: 'sgt', name: 'Visitors 7' },
      { event: 'created', family: 'sgt', id: '../sgt' },
    ];
    const endpoint = { event: 'applied', family: 'ancendpoint', operation: 'apply', endpoint: device };
    const sweep = (folder: string, ...more: readonly string[]) =>
      runCli(['sweep', '--journal', folder, '--base-url', server.baseUrl, ...more], { env: server.env });
    const both = crafted('foreign', [...records, endpoint], false);
    expect((await sweep(both)).code).toBe(2);
    // The operator's pool does not hold the device.
    const refused = await sweep(both, '--endpoints', '02:00:00:00:01:00+10', '--policy', server.policies[0] ?? '');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`such as ${device}`)]);
    const swept = await sweep(crafted('foreign-records', records, false));
    expect(swept.stderr).toMatch(/possibly of the run: sgt .*Visitors 7.*do not all say/);
    expect(swept.code).toBe(5);
    expect(await targetPrint(server)).toBe(before);
  });
});
