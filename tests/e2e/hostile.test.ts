import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportIn, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { LOGIN, watchedDeployment } from '../referee/deployment.ts';
import { meddlingProxy } from '../referee/meddler.ts';
import { LOGIN_ENV, textsBelow } from '../referee/run-scenario.ts';
import { leakIn } from '../referee/secrets.ts';
import { watchedProcess } from '../referee/watched-process.ts';

const DEADLINE_SECONDS = 5;
/** What may come on top: answers to writes under way when the deadline passes, cleaning up for 50 s at most, and the report. */
const GRACE_SECONDS = 60;
const MEMORY_LIMIT_KIB = 500 * 1024;

/** Ways to hurt who reads an answer. */
const HOSTILE = [
  ...['body/poisoned-text', 'body/huger-than-kept', 'echo/error', 'echo/headers', 'echo/name', 'list/next-endless'],
  ...['transport/endless', 'transport/many-headers', 'transport/redirect', 'transport/silent'],
];

/** A deployment that answers well until the run has got going, and hardly ever from then on. */
async function turningHostile() {
  const deployment = await watchedDeployment(1);
  const armed = HOSTILE.map((id, seed) => ({ id, seed, after: 60, most: 1_000_000, share: 0.4 }));
  const proxy = await meddlingProxy(armed, deployment, 'http://127.0.0.1:9');
  return { baseUrl: proxy.baseUrl, close: () => proxy.close().then(deployment.close) };
}

const TARGETS = {
  'from its first answer': () => serveCli(['--sessions', '100', '--null-target', 'N10'], LOGIN_ENV),
  'once the run has got going': turningHostile,
} as const;

const folder = folderOfTests();

/** Runs the checks against a target, and watches how long that takes and how large the process grows. */
async function runAgainst(start: (typeof TARGETS)[keyof typeof TARGETS], out: string) {
  const served = await start();
  const limits = ['--timeout', '1s', '--deadline', `${DEADLINE_SECONDS}s`];
  const args = ['conformance', '--base-url', served.baseUrl, '--mode', 'own-data', '--json', ...limits, '--out', out];
  const ended = await watchedProcess(args, LOGIN_ENV, 200);
  await served.close();
  return { out, ended };
}

const ran = new Map<string, Awaited<ReturnType<typeof runAgainst>>>();
beforeAll(async () => {
  const each = async ([when, start]: [string, (typeof TARGETS)[keyof typeof TARGETS]], index: number) =>
    ran.set(when, await runAgainst(start, join(folder, `${index}`)));
  await Promise.all(Object.entries(TARGETS).map(each));
});

describe.each(Object.keys(TARGETS))('a target that is hostile %s', (when) => {
  const found = () => ran.get(when) as Awaited<ReturnType<typeof runAgainst>>;

  it('neither holds the run beyond its deadline nor fills the memory', () => {
    const { seconds, peakKib } = found().ended;
    expect(seconds).toBeLessThan(DEADLINE_SECONDS + GRACE_SECONDS);
    expect(peakKib).toBeGreaterThan(0);
    expect(peakKib).toBeLessThan(MEMORY_LIMIT_KIB);
  });

  it('makes nothing conformant, and ends with a valid report that says so', () => {
    const { out, ended } = found();
    const report = reportIn(out);
    expect(report.conformance?.families.map(({ verdict }) => verdict)).not.toContain('conformant');
    expect([1, 3, 5]).toContain(ended.code);
    expect(report.exit.code).toBe(ended.code);
  });

  it('brings no script into the page', () => {
    const page = load(readFileSync(join(found().out, 'index.html'), 'utf8'));
    expect(page('script').length).toBe(1);
    expect(page('[onerror], [onload], img, iframe').length).toBe(0);
    expect(page('meta[http-equiv="Content-Security-Policy"]').attr('content')).toMatch(/default-src 'none'/);
  });

  it('gets the login that it echoes into no file and no output', () => {
    const { out, ended } = found();
    const texts = [['output', ended.stdout + ended.stderr] as const, ...textsBelow(out)];
    expect(texts.flatMap(([where, text]) => (leakIn(text, LOGIN) === undefined ? [] : [where]))).toEqual([]);
  });
});
