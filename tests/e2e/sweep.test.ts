import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/random.ts';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import { runCli } from '../helpers/cli.ts';
import { crashAndSweep } from '../helpers/crash.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { targetPrint } from '../helpers/target-print.ts';

/** Fifty of them are tried with ERS_TEST_CRASHES=50. */
const CRASHES = Number(process.env['ERS_TEST_CRASHES'] ?? 3);
const LYING_CRASHES = Number(process.env['ERS_TEST_CRASHES'] ?? 1);

describe('what a run left on a deployment whose clear answers success and does nothing', () => {
  const folder = folderOfTests();

  it('is listed by the sweep, every endpoint of it, with exit 5', async () => {
    const random = seededRandom(8);
    for (let index = 0; index < LYING_CRASHES; index += 1) {
      const server = await startReference({ sessions: 9000, faults: ['latency=2ms'], defects: ['M54'] });
      const entries = async () => (await targetPrint(server)).split('\n').length;
      const before = await entries();
      const run = {
        out: join(folder, `${index}`),
        atLine: 1 + Math.floor(random() * 150),
        families: 'ancendpoint',
      };
      const { killed, sweep } = await crashAndSweep(server, run);
      const left = (await entries()) - before;
      await server.close();
      const listed = sweep.stderr.match(/^left on the target: .* curl /gm)?.length ?? 0;
      expect([run, killed, listed, sweep.code]).toEqual([run, true, left, left === 0 ? 0 : 5]);
    }
  });
});

describe('what a run left that was killed outright', () => {
  const folder = folderOfTests();
  let server: ReferenceServer;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startReference({ sessions: 9000, faults: ['latency=2ms'] });
    env = { ERS_USERNAME: server.username, ERS_PASSWORD: server.password };
  });

  afterAll(() => server.close());

  it('is swept from its journal, wherever it was killed: the deployment lists what it listed before', async () => {
    const random = seededRandom(7);
    const moments = Array.from({ length: CRASHES }, () => 1 + Math.floor(random() * 500));
    const crashes = [];
    for (const [index, atLine] of moments.entries()) {
      const out = join(folder, `crash-${index}`);
      crashes.push(await crashAndSweep(server, { out, atLine, families: 'sgt,sgtvnvlan,sxpvpns,ancendpoint' }));
    }
    expect(crashes.map(({ killed, restored, sweep }) => [killed, restored, sweep.code])).toEqual(
      moments.map(() => [true, true, 0]),
    );
    expect(crashes.some(({ left }) => left)).toBe(true);
  });

  it('under load is swept from its journal too: endpoints that hold its policy are cleared, those with another are not', async () => {
    const before = await targetPrint(server);
    const lines = async () => (await targetPrint(server)).split('\n').length - before.split('\n').length;
    const out = join(folder, 'load');
    const [policy = '', other = ''] = server.policies;
    const load = ['load', '--profile', '60k', '--operation', 'apply-by-mac', '--rate', '50', '--duration', '20s'];
    const pool = ['--endpoints', server.endpoints, '--policy', policy];
    let poll: NodeJS.Timeout | undefined;
    const { code } = await runCli([...load, '--base-url', server.baseUrl, ...pool, '--out', out], {
      env,
      onLine: (_line, child) => {
        poll ??= setInterval(async () => {
          if ((await lines()) > 100) child.kill('SIGKILL');
        }, 200);
      },
    });
    clearInterval(poll);
    expect(code).toBe(null);
    const sweep = ['sweep', '--journal', out, '--base-url', server.baseUrl];
    const wrong = await runCli([...sweep, '--endpoints', server.endpoints, '--policy', other], { env });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('the run used other policies')]);
    expect(await lines()).toBeGreaterThan(100);
    expect((await runCli([...sweep, ...pool], { env })).code).toBe(0);
    expect(await targetPrint(server)).toBe(before);
  });

  it('is shown by a dry run, which removes nothing, and swept by its prefix once it is old enough', async () => {
    const before = await targetPrint(server);
    const login = `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
    const create = (name: string, value: number) =>
      fetch(`${server.baseUrl}/ers/config/sgt`, {
        method: 'POST',
        headers: { Authorization: login, 'Content-Type': 'application/json' },
        body: JSON.stringify({ Sgt: { name, value } }),
      });
    await create('cfm-00001abc-n1', 4001);
    await create('foreign-group', 4002);
    const withForeign = await targetPrint(server);
    const sweep = (...args: string[]) =>
      runCli(['sweep', '--base-url', server.baseUrl, '--prefix', 'cfm-', '--older-than', '2h', ...args], { env });
    const dry = await sweep('--dry-run', '--json');
    expect(dry.code).toBe(5);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      removed: 0,
      found: { records: [{ name: 'cfm-00001abc-n1' }] },
    });
    expect(await targetPrint(server)).toBe(withForeign);
    expect((await sweep()).code).toBe(0);
    const after = (await targetPrint(server)).split('\n');
    expect(after.filter((line) => !line.includes('foreign-group'))).toEqual(before.split('\n'));
    expect(after.length).toBe(before.split('\n').length + 1);
  });

  it('is not swept where another deployment is named, or no age with a prefix: exit 2', async () => {
    const journal = join(folder, 'crash-0');
    const other = await runCli(['sweep', '--base-url', 'http://127.0.0.1:9', '--journal', journal], { env });
    const ageless = await runCli(['sweep', '--base-url', server.baseUrl, '--prefix', 'cfm-'], { env });
    expect([other.code, ageless.code]).toEqual([2, 2]);
  });
});
