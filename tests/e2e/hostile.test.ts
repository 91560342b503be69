import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportIn, runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { hostileTarget } from '../helpers/hostile-target.ts';

const CANARY = 'canary-Pa55word-0815';
const LOGIN = { ERS_USERNAME: 'canary-user', ERS_PASSWORD: CANARY };
const DEADLINE_SECONDS = 7;
/** What may come on top: answers under way when the deadline passes, cleaning up, and the report. */
const GRACE_SECONDS = 45;
const MEMORY_LIMIT_KIB = 500 * 1024;

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** Largest resident size so far of a process, in KiB; 0 once it is gone. */
function peakKib(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const TARGETS = {
  'from its first answer': () => serveCli(['--sessions', '100', '--null-target', 'N10'], LOGIN),
  'once the run has got going': hostileTarget,
} as const;

const folder = folderOfTests();

/** Runs the checks against a target, and watches how long that takes and how large the process grows. */
async function runAgainst(start: (typeof TARGETS)[keyof typeof TARGETS], out: string) {
  const served = await start();
  const begun = performance.now();
  let poll: NodeJS.Timeout | undefined;
  let peak = 0;
  const limits = ['--timeout', '1s', '--deadline', `${DEADLINE_SECONDS}s`];
  const result = await runCli(
    ['conformance', '--base-url', served.baseUrl, '--mode', 'own-data', '--json', ...limits, '--out', out],
    {
      env: LOGIN,
      onLine: (_line, child) => {
        poll ??= setInterval(() => {
          peak = Math.max(peak, peakKib(child.pid));
        }, 50);
      },
    },
  );
  clearInterval(poll);
  const tookSeconds = (performance.now() - begun) / 1000;
  await served.close();
  return { out, result, peak, tookSeconds };
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
    const { tookSeconds, peak } = found();
    expect(tookSeconds).toBeLessThan(DEADLINE_SECONDS + GRACE_SECONDS);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(MEMORY_LIMIT_KIB);
  });

  it('makes nothing conformant, and ends with a valid report that says so', () => {
    const { out, result } = found();
    const report = reportIn(out);
    expect(report.conformance?.families.map(({ verdict }) => verdict)).not.toContain('conformant');
    expect([1, 3, 5]).toContain(result.code);
    expect(report.exit.code).toBe(result.code);
  });

  it('brings no script into the page', () => {
    const page = load(readFileSync(join(found().out, 'index.html'), 'utf8'));
    expect(page('script').length).toBe(1);
    expect(page('[onerror], [onload], img, iframe').length).toBe(0);
    expect(page('meta[http-equiv="Content-Security-Policy"]').attr('content')).toMatch(/default-src 'none'/);
  });

  it('gets the login that it echoes into no file and no output', () => {
    const { out, result } = found();
    const forms = [
      CANARY,
      Buffer.from(`canary-user:${CANARY}`).toString('base64'),
      Buffer.from(CANARY).toString('base64'),
    ];
    for (const form of forms) {
      expect(result.stdout + result.stderr).not.toContain(form);
      for (const file of filesBelow(out))
        expect(readFileSync(file).includes(form), `${file} holds ${form}`).toBe(false);
    }
  });
});
