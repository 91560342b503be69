import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../lib/random.ts';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { referenceOfTests } from '../helpers/served.ts';
import { json, stubOfTest } from '../helpers/stub-target.ts';
import { colleagueOn, targetPrint } from '../helpers/target-print.ts';

// `npm run kills` kills as many as it is asked for.
const CRASHES = 2;

const folder = folderOfTests();

const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

/** Runs these families in full mode, kills the run outright once its journal has so many lines, and sweeps after it. */
async function crashAndSweep(server: ReferenceServer, families: string, out: string, atLine: number) {
  const env = { ERS_USERNAME: server.username, ERS_PASSWORD: server.password };
  const before = await targetPrint(server);
  const on = ['--base-url', server.baseUrl, '--endpoints', server.endpoints, '--policy', server.policies[0] ?? ''];
  let poll: NodeJS.Timeout | undefined;
  const { code } = await runCli(['conformance', ...on, '--mode', 'full', '--family', families, '--out', out], {
    env,
    onLine: (_line, child) => {
      poll ??= setInterval(() => {
        if (linesIn(join(out, 'records/journal.ndjson')) >= atLine) child.kill('SIGKILL');
      }, 5);
    },
  });
  clearInterval(poll);
  const isLeft = (await targetPrint(server)) !== before;
  // What was on its way has come by now: it is not waited for.
  const journal = join(out, 'records/journal.ndjson');
  const text = readFileSync(journal, 'utf8');
  writeFileSync(journal, text.replaceAll('"at":"20', '"at":"19'));
  // Endpoints are named by what stays with them.
  expect(text).not.toContain('"endpoint":"10.');
  const swept = () => runCli(['sweep', ...on, '--journal', out], { env });
  return {
    isKilled: code === null,
    isLeft,
    sweep: await swept(),
    swept,
    isRestored: (await targetPrint(server)) === before,
  };
}

it('what a run left on a deployment whose clear does nothing is listed by the sweep, with exit 5, however often it is run', async () => {
  const server = await startReference({ sessions: 9000, faults: ['latency=2ms'], defects: ['M54'] });
  onTestFinished(server.close);
  const entries = async () => (await targetPrint(server)).split('\n').length;
  const before = await entries();
  const { isKilled, sweep, swept } = await crashAndSweep(server, 'ancendpoint', join(folder, 'lying'), 40);
  const left = (await entries()) - before;
  expect([isKilled, left > 0]).toEqual([true, true]);
  for (const { stderr, code } of [sweep, await swept()])
    expect([stderr.match(/^(?:left on the target|possibly of the run): .* curl .*\/clear'/gm)?.length, code]).toEqual([
      left,
      5,
    ]);
});

describe('what a run left that was killed outright', () => {
  const server = referenceOfTests({ sessions: 9000, faults: ['latency=2ms'] });

  it('is swept from its journal, wherever it was killed: the deployment lists what it listed before', async () => {
    const random = seededRandom(7);
    const moments = Array.from({ length: CRASHES }, () => 1 + Math.floor(random() * 500));
    const crashes = [];
    for (const [index, atLine] of moments.entries()) {
      const out = join(folder, `crash-${index}`);
      crashes.push(await crashAndSweep(server, 'sgt,sgtvnvlan,sxpvpns,ancendpoint', out, atLine));
    }
    expect(crashes.map(({ isKilled, isRestored, sweep }) => [isKilled, isRestored, sweep.code])).toEqual(
      moments.map(() => [true, true, 0]),
    );
    expect(crashes.some(({ isLeft }) => isLeft)).toBe(true);
  });

  it('is shown by a dry run, which removes nothing, and swept by its prefix once it is old enough, without names that only look like it', async () => {
    const before = await targetPrint(server);
    const { makes } = colleagueOn(server);
    const others = ['cfm-01-Berlin', 'cfm-000001ab-n1', 'cfm01frankfurt'];
    for (const [index, name] of others.entries())
      await makes({ name, value: 4001 + index, description: `${name}: of a colleague` });
    const withOthers = await targetPrint(server);
    const own = ['CFM000001ABN2', 'cfm000001abn1'];
    await makes({ name: own[1], value: 4011, description: `made by ers-harness ${own[1]}` });
    await makes({ name: own[0], value: 4012 });
    const withAll = await targetPrint(server);
    const sweep = (...args: string[]) =>
      runCli(['sweep', '--base-url', server.baseUrl, '--prefix', 'cfm', '--older-than', '2h', ...args], {
        env: server.env,
      });
    const dry = await sweep('--dry-run', '--json');
    expect(dry.code).toBe(5);
    const { dryRun, removed, found } = JSON.parse(dry.stdout) as { found: { records: { name: string }[] } } & Record<
      string,
      unknown
    >;
    expect([dryRun, removed, found.records.map(({ name }) => name).sort()]).toEqual([true, 0, own]);
    expect(await targetPrint(server)).toBe(withAll);
    const { code, stderr } = await sweep();
    expect([code, stderr.match(/^possibly of the run: .*$/gm)]).toEqual([
      5,
      [expect.stringContaining('(cfm01frankfurt)')],
    ]);
    expect(await targetPrint(server)).toBe(withOthers);
    const again = await runCli(
      ['sweep', '--base-url', server.baseUrl, '--prefix', 'cfm000001ab', '--older-than', '2h'],
      { env: server.env },
    );
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('endpoints were not looked at')]);
    expect(withOthers.split('\n').length).toBe(before.split('\n').length + others.length);
  });

  it('is not swept where another deployment is named, or no age with a prefix: exit 2', async () => {
    const journal = join(folder, 'crash-0');
    const other = await runCli(['sweep', '--base-url', 'http://127.0.0.1:9', '--journal', journal], {
      env: server.env,
    });
    const ageless = await runCli(['sweep', '--base-url', server.baseUrl, '--prefix', 'cfm-'], { env: server.env });
    expect([other.code, ageless.code]).toEqual([2, 2]);
  });
});

it('a sweep of lists that have no end ends at its deadline, removes nothing and says so: exit 3', async () => {
  let page = 0;
  const { baseUrl } = await stubOfTest((request, response) => {
    page += 1;
    const next = { nextPage: { href: `${request.url.split('?')[0]}?page=${page}` } };
    const resources = [{ id: `id-${page}`, name: `other ${page}` }];
    setTimeout(() => json(response, 200, { SearchResult: { total: 1e6, resources, ...next } }), 20);
  });
  const env = { ERS_USERNAME: 'any', ERS_PASSWORD: 'any' };
  const given = ['sweep', '--base-url', baseUrl, '--prefix', 'cfm', '--older-than', '2h', '--deadline', '2s'];
  const begun = performance.now();
  const { code, stderr } = await runCli(given, { env });
  expect([code, stderr]).toEqual([3, expect.stringContaining('nothing was removed')]);
  expect(performance.now() - begun).toBeLessThan(60_000);
});
