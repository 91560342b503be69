import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import { runCli, scratchFolder } from '../helpers/cli.ts';
import { fewRecords } from '../helpers/few-records.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

const servers: ReferenceServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Runs `conformance` against a deployment of this process, to its end. */
async function conformance(server: ReferenceServer, name: string, args: readonly string[]) {
  const out = ['--out', `${folder.path}/${name}`, '--history', 'none', '--config', 'none'];
  const env = { ERS_USERNAME: server.username, ERS_PASSWORD: server.password };
  return runCli(['conformance', '--base-url', server.baseUrl, ...out, ...args], { env });
}

describe.concurrent('a run that cannot decide everything', () => {
  let few: ReferenceServer;
  let readOnly: ReferenceServer;
  beforeAll(async () => {
    few = await startReference({ sessions: 100, deviations: [fewRecords(1)] });
    // The login may read and nothing else, so that creates are blocked.
    readOnly = await startReference({ sessions: 100, variations: ['V21'] });
    servers.push(few, readOnly);
  });

  it('ends with exit 0 if the target has too little to show, and says what would be enough', async () => {
    const { code, stdout } = await conformance(few, 'few', ['--mode', 'read-only']);
    expect(stdout).toMatch(/not testable here, by what it needs/);
    expect(stdout).toMatch(/two records with different values of name, or --mode own-data: \d+ results/);
    expect(stdout).toMatch(/Passed: \d+ of \d+ resources passed \(exit 0\)/);
    expect(code).toBe(0);
  });

  it('ends with exit 0 only if --allow-inconclusive accepts as many stated results', async () => {
    const what = ['--mode', 'own-data', '--family', 'sgt', '--check', 'record/', '--check', 'list/'];
    const none = await conformance(readOnly, 'allow-none', what);
    const open = Number(/(\d+) results that must hold are unclear/.exec(none.stdout)?.[1]);
    const [fewer, all] = await Promise.all(
      [open - 1, open].map((allowed) =>
        conformance(readOnly, `allow-${allowed}`, [...what, '--allow-inconclusive', String(allowed)]),
      ),
    );
    expect([none.code, fewer?.code, all?.code]).toEqual([4, 4, 0]);
  });
});
