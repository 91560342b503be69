import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { RunEnd } from '../../../lib/records/run.ts';
import { reportIn, runCli, runProgram, type ServedDeployment, serveCli } from '../../helpers/cli.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { targetPrint } from '../../helpers/target-print.ts';

/** What an operator is promised: a run that is told to end is gone within so long. */
const GONE_WITHIN_MS = 7000;

function holds(file: string, enough: (text: string) => boolean): boolean {
  try {
    return enough(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a program on a terminal of its own, closes the terminal once the program has said something, and waits for its end. */
const ON_TERMINAL = `
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
while b'apply-by-mac' not in seen:
    seen += os.read(terminal, 65536)
time.sleep(1)
os.close(terminal)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
`;

const folder = folderOfTests();

/** Serves a deployment to the work, and tells whether the work left it as it was. */
async function served<T>(args: readonly string[], work: (on: ServedDeployment) => Promise<T>) {
  const on = await serveCli(['--sessions', '9000', ...args]);
  try {
    const before = await targetPrint(on);
    const result = await work(on);
    return { ...result, isAsBefore: (await targetPrint(on)) === before };
  } finally {
    await on.close();
  }
}

/** Slow enough that there is a middle to interrupt. */
const SLOW = ['--fault', 'latency=30ms'];

/** Runs the command, sends the signal once a file of its run says so, and tells how long it then took to go. */
const interrupted = (
  name: string,
  what: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
  when: { readonly file: string; readonly enough: (text: string) => boolean },
) =>
  served(SLOW, async ({ baseUrl, pool, env }) => {
    const out = join(folder, name);
    let poll: NodeJS.Timeout | undefined;
    let sentMs = 0;
    const { code } = await runCli([...what, ...pool, '--base-url', baseUrl, '--out', out], {
      env,
      onLine: (_line, child) => {
        poll ??= setInterval(() => {
          if (sentMs > 0 || !holds(join(out, when.file), when.enough)) return;
          sentMs = performance.now();
          child.kill(signal);
        }, 10);
      },
    });
    clearInterval(poll);
    const goneMs = performance.now() - sentMs;
    const end = RunEnd.parse(JSON.parse(readFileSync(join(out, 'records/end.json'), 'utf8')));
    return { code, end, sent: sentMs > 0, goneMs };
  });

describe.concurrent('a run that is told to end', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s during conformance removes what it made, within seven seconds, and ends with %i',
    async (signal, exit) => {
      const enough = (text: string) => text.split('"created"').length > 40 && text.includes('"applied"');
      const { code, end, sent, goneMs, isAsBefore } = await interrupted(
        `conformance-${signal}`,
        ['conformance', '--mode', 'full', '--family', 'sgt,sgtvnvlan,hotspotportal,ancendpoint'],
        signal,
        { file: 'records/journal.ndjson', enough },
      );
      expect(sent).toBe(true);
      expect(code).toBe(exit);
      expect(end.signal).toBe(signal);
      expect(end.cleanup.created).toBeGreaterThan(0);
      expect(end.cleanup.residue).toEqual([]);
      expect(isAsBefore).toBe(true);
      expect(goneMs).toBeLessThan(GONE_WITHIN_MS);
    },
  );

  it('by SIGINT during load clears the endpoints that it touched and ends with 130', async () => {
    const load = ['load', '--profile', '60k', '--operation', 'apply-by-mac', '--rate', '50', '--duration', '20s'];
    const out = join(folder, 'load');
    let sentMs = 0;
    const { code, goneMs, isAsBefore } = await served(SLOW, ({ baseUrl, pool, env }) =>
      runCli([...load, ...pool, '--base-url', baseUrl, '--out', out], {
        env,
        onLine: (line, child) => {
          // The connections are told right before the cell, which takes more than twenty seconds.
          if (sentMs > 0 || !/for the arrivals/.test(line)) return;
          sentMs = performance.now() + 5000;
          setTimeout(() => child.kill('SIGINT'), 5000);
        },
      }).then((ran) => ({ ...ran, goneMs: performance.now() - sentMs })),
    );
    expect(code).toBe(130);
    expect(isAsBefore).toBe(true);
    // What was measured until then is in the report, and is not taken for the whole.
    const report = reportIn(out);
    expect(report.verdict).toBe('interrupted');
    expect(report.load?.cells[0]?.verdict).toBe('invalid');
    expect(report.load?.cells[0]?.facts.counts.started).toBeGreaterThan(0);
    expect(goneMs).toBeLessThan(GONE_WITHIN_MS);
  });

  it('by the loss of its terminal goes on to its end, and leaves a whole report', async () => {
    const out = join(folder, 'hangup');
    const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--rate', '50', '--duration', '4s'];
    const load = ['load', ...cell, '--connections', '10'];
    const program = [process.execPath, join(packageRoot(), 'dist', 'ers-harness.js')];
    const { stdout, stderr } = await served([], ({ baseUrl, pool, env }) => {
      const command = ['python3', '-c', ON_TERMINAL, ...program, ...load, ...pool, '--base-url', baseUrl, '--out', out];
      return runProgram(command, { env: { ...process.env, ...env } });
    });
    const report = reportIn(out);
    expect(report.end?.signal, stderr).toBeUndefined();
    expect(report.load?.cells[0]?.scheduled).toBe(200);
    expect(report.cleanup.residue).toEqual([]);
    expect(Number(stdout)).toBe(report.exit.code);
  });
});
