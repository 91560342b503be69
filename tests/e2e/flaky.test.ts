import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../lib/contract/families.ts';
import { Report } from '../../lib/records/report.ts';
import { runCli, scratchFolder } from '../helpers/cli.ts';
import { startTinyTarget, type TinyTarget } from '../helpers/tiny-target.ts';

const WHAT = ['--family', 'sgt', '--check', 'version/served', '--check', 'record/create'];

describe('a target that fails now and then', () => {
  const folder = scratchFolder();
  const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
  const names = ['good', 'flaky', 'once', 'broken'] as const;
  const targets = new Map<string, TinyTarget>();
  const file = (run: string, name: string) => readFileSync(join(folder.path, run, name), 'utf8');
  const resultOf = (run: string, checkId: string) =>
    Report.parse(JSON.parse(file(run, 'report.json'))).conformance?.results.find((one) => one.checkId === checkId);

  /** Answers every third request for version information wrongly, or all after the second: those are asked before any check. */
  async function start(name: (typeof names)[number]): Promise<TinyTarget> {
    let asked = 0;
    return startTinyTarget(FAMILIES, ({ path }) => {
      if (name === 'good' || !path.endsWith('versioninfo')) return undefined;
      asked += 1;
      const wrong = name === 'broken' ? asked > 2 : asked % 3 === 0;
      return wrong ? { status: 500, body: { ERSResponse: { messages: [{ title: `fault ${asked}` }] } } } : undefined;
    });
  }

  beforeAll(async () => {
    for (const name of names) {
      const target = await start(name);
      targets.set(name, target);
      const more = name === 'once' ? ['--no-retry'] : [];
      const out = join(folder.path, name);
      const args = ['conformance', '--base-url', target.baseUrl, '--mode', 'own-data', ...WHAT, ...more, '--out', out];
      await runCli(args, { env: login });
    }
  });

  afterAll(async () => {
    for (const target of targets.values()) await target.close();
    folder.remove();
  });

  it('has a failure that is called flaky and stays a failure, with the exchanges of both tries', () => {
    const result = resultOf('flaky', 'version/served');
    expect(result).toMatchObject({ verdict: 'fail', flaky: true, retry: { verdict: 'pass' } });
    const report = Report.parse(JSON.parse(file('flaky', 'report.json')));
    expect([report.verdict, report.exit.code]).toEqual(['disproven', 1]);
    expect(report.exit.reasons[0]?.text).toContain('1 of them flaky: passed on retry');
    const kept = new Map(
      file('flaky', 'records/exchanges.ndjson')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { id: string; status: number })
        .map(({ id, status }) => [id, status]),
    );
    expect(result?.evidence.map((id) => kept.get(id))).toContain(500);
    expect(result?.retry?.evidence.map((id) => kept.get(id))).toContain(200);
  });

  it('is told so by every report', () => {
    expect(file('flaky', 'index.html')).toContain('flaky: it failed, then passed on retry');
    const junit = file('flaky', 'junit.xml');
    expect(junit).toContain('<property name="flaky" value="true"/>');
    expect(junit).toMatch(/<failure [^>]*message="flaky, passed on retry: /);
    const { results } = JSON.parse(file('flaky', 'ctrf.json')) as { results: { tests: { name: string }[] } };
    expect(results.tests.find(({ name }) => name === 'version/served')).toMatchObject({
      status: 'failed',
      flaky: true,
      retries: 1,
    });
    expect(file('flaky', 'summary.md')).toContain('| fail, flaky | version/served |');
  });

  it('is listed apart where it newly fails, and ends the comparison with exit 1', async () => {
    const { code, stdout } = await runCli(['report', 'compare', join(folder.path, 'good'), join(folder.path, 'flaky')]);
    expect(code).toBe(1);
    expect(stdout).toContain('1 newly failing (1 flaky)');
    expect(stdout).toMatch(
      /newly failing and flaky: passed when tried again in the same run: 1\n {2}version\/served\|sgt/,
    );
  });

  it('is not taken for flaky where it fails twice, or is tried once only', () => {
    const broken = resultOf('broken', 'version/served');
    expect(broken).toMatchObject({ verdict: 'fail', retry: { verdict: 'fail' } });
    expect(broken).not.toHaveProperty('flaky');
    const once = resultOf('once', 'version/served');
    expect(once?.verdict).toBe('fail');
    expect(once).not.toHaveProperty('retry');
  });

  it('is left as it was found', () => {
    for (const name of names) expect(targets.get(name)?.records('sgt'), name).toEqual([]);
  });
});
