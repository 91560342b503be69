import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../lib/records/report.ts';
import { reportIn, runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests, servedOfTests } from '../helpers/served.ts';

/** Every spelling in which an address of the pool or the host may stand, percent encoded ones decoded before. */
const CANARY =
  /(?:02[:.-]?00[:.-]?00[:.-]?[0-9a-f]{2}[:.-]?[0-9a-f]{2}[:.-]?[0-9a-f]{2})|0200\.00[0-9a-f]{2}|localhost|127\.0\.0\.1|(?<!\d)10\.0\.\d+\.\d+/gi;

const decoded = (text: string) =>
  text.replace(/%25/g, '%').replace(/%3A/gi, ':').replace(/%2F/gi, '/').replace(/&#58;/g, ':');

describe('a run that left endpoints behind', () => {
  const folder = folderOfTests();
  const run = join(folder, 'run');
  const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
  const served = servedOfTests(['--sessions', '500', '--defect', 'M54'], login);
  const filesOf = (where: string) =>
    readdirSync(where, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('share') && statSync(join(where, name)).isFile())
      .map((name) => ({ name, text: decoded(readFileSync(join(where, name), 'utf8')) }));

  const made = ofTests(() => {
    const baseUrl = served.baseUrl.replace('127.0.0.1', 'localhost');
    const what = ['--family', 'ancendpoint', '--check', 'anc/clear,list/envelope', '--mode', 'full', '--no-retry'];
    const args = ['conformance', '--base-url', baseUrl, ...what, ...served.pool];
    return runCli([...args, '--redact', 'share', '--json', '--out', run], { env: login });
  });

  it('can be given away without an address or the host: files and standard output', () => {
    const shared = filesOf(join(run, 'share'));
    const names = ['ctrf.json', 'index.html', 'junit.xml', 'report.json', 'summary.md'];
    expect(shared.map(({ name }) => name).sort()).toEqual(names);
    for (const { name, text } of shared) expect(text.match(CANARY) ?? [], name).toEqual([]);
    expect(decoded(made.stdout).match(CANARY) ?? []).toEqual([]);
    expect(reportIn(join(run, 'share')).cleanup.residue[0]?.id).toMatch(/^(?:mac|ip)-[0-9a-f]{10}$/);
  });

  it('keeps what removing needs in its own folder', () => {
    const own = filesOf(run);
    for (const name of ['report.json', 'index.html', 'records/exchanges.ndjson', 'records/journal.ndjson']) {
      expect(own.find((file) => file.name === name)?.text.match(CANARY)?.length, name).toBeGreaterThan(0);
    }
    expect(reportIn(run)).not.toHaveProperty('redaction');
  });

  it('has the same counts, verdicts and exit code', () => {
    const [whole, shared] = [reportIn(run), reportIn(join(run, 'share'))];
    const told = ({ answer, exit, conformance, cleanup }: Report) => ({
      ...{ ending: answer.ending, code: exit.code, counts: conformance?.counts, left: cleanup.residue.length },
      results: conformance?.results.map((result) => [result.checkId, result.variant, result.verdict]),
    });
    expect(told(shared)).toEqual(told(whole));
    expect([made.code, shared.cleanup.residue.length > 0]).toEqual([5, true]);
  });

  it('is rendered for others later, with other pseudonyms, and stays as it is', async () => {
    const [out, before] = [join(folder, 'for-the-vendor'), filesOf(run)];
    const { code } = await runCli(['report', 'render', run, '--redact', 'share', '--out', out]);
    expect(code).toBe(5);
    for (const { name, text } of filesOf(out)) expect(text.match(CANARY) ?? [], name).toEqual([]);
    expect(filesOf(run)).toEqual(before);
    const first = (where: string) => reportIn(where).cleanup.residue[0]?.id;
    expect(first(out)).not.toBe(first(join(run, 'share')));
  });
});
