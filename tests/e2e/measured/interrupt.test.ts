import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunEnd } from '../../../lib/records/run.ts';
import { reportIn, runCli, type ServedDeployment, serveCli } from '../../helpers/cli.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { targetPrint } from '../../helpers/target-print.ts';

/** What an operator is promised: a run that is told to end is gone within so long. */
const GONE_WITHIN_MS = 7000;

/** True once the journal in a run folder tells of more than forty records made, and of an endpoint. */
function isUnderWay(out: string): boolean {
  try {
    const text = readFileSync(join(out, 'records/journal.ndjson'), 'utf8');
    return text.split('"created"').length > 40 && text.includes('"applied"');
  } catch {
    return false;
  }
}

const folder = folderOfTests();

/** Slow enough that there is a middle to interrupt. */
const SLOW = ['--fault', 'latency=30ms'];

/** Serves a deployment to the work, and tells whether the work left it as it was. */
async function served<T>(work: (on: ServedDeployment) => Promise<T>) {
  const on = await serveCli(['--sessions', '9000', ...SLOW]);
  try {
    const before = await targetPrint(on);
    const result = await work(on);
    return { ...result, isAsBefore: (await targetPrint(on)) === before };
  } finally {
    await on.close();
  }
}

/** Runs the checks, sends the signal in their middle, and tells how long the command then took to go. */
const interrupted = (signal: 'SIGINT' | 'SIGTERM') =>
  served(async ({ baseUrl, pool, env }) => {
    const out = join(folder, signal);
    const what = ['--mode', 'full', '--family', 'sgt,sgtvnvlan,hotspotportal,ancendpoint', '--out', out];
    let poll: NodeJS.Timeout | undefined;
    let sentMs = 0;
    const { code } = await runCli(['conformance', ...what, ...pool, '--base-url', baseUrl], {
      env,
      onLine: (_line, child) => {
        poll ??= setInterval(() => {
          if (sentMs > 0 || !isUnderWay(out)) return;
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

it.concurrent.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a run that is told to end by %s during conformance removes what it made, within seven seconds, and ends with %i',
  async (signal, exit) => {
    const { code, end, sent, goneMs, isAsBefore } = await interrupted(signal);
    expect(sent).toBe(true);
    expect(code).toBe(exit);
    expect(end.signal).toBe(signal);
    expect(end.cleanup.created).toBeGreaterThan(0);
    expect(end.cleanup.residue).toEqual([]);
    expect(isAsBefore).toBe(true);
    expect(goneMs).toBeLessThan(GONE_WITHIN_MS);
  },
);

// Alone: k6 that is ended while answers take long is waited for.
it('a load that is told to end by SIGINT clears the endpoints that it touched and ends with 130', async () => {
  const load = ['load', '--profile', '60k', '--operation', 'apply-by-mac', '--rate', '50', '--duration', '20s'];
  const out = join(folder, 'load');
  let sentMs = 0;
  const { code, goneMs, isAsBefore } = await served(({ baseUrl, pool, env }) =>
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
  expect(report.answer.ending).toBe('interrupted');
  expect(report.load?.cells[0]?.verdict).toBe('invalid');
  expect(report.load?.cells[0]?.facts.counts.started).toBeGreaterThan(0);
  expect(goneMs).toBeLessThan(GONE_WITHIN_MS);
});
