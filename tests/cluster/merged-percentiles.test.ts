import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTCOME } from '../../lib/records/load/samples.ts';
import { percentile } from '../../lib/stats/percentile.ts';
import { gatherRunners } from '../../load/kubernetes/cluster-cell.ts';
import { runRunner } from '../helpers/cluster-runner.ts';
import { emitted } from '../helpers/emitted.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { aSpec, runCellOf } from '../helpers/k6-run.ts';

const RATE = 200;
const SECONDS = 12;
const PERCENTILES = [0.5, 0.9, 0.95, 0.99] as const;
const home = folderOfTests();

/** A target whose n-th answer takes the same time in each run, with a long tail; it logs what each took, from headers to last byte. */
async function loggingTarget() {
  let arrived = 0;
  const logMs: number[] = [];
  const server = createServer((request, response) => {
    const begun = performance.now();
    response.once('finish', () => logMs.push(performance.now() - begun));
    const share = (arrived++ * 0.618_033_988_75) % 1;
    request.resume().once('end', () => setTimeout(() => response.writeHead(204).end(), 3 + 25 * share ** 4));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { baseUrl: `http://127.0.0.1:${port}`, logMs, close };
}

/** The percentiles in milliseconds, exactly. */
function percentilesOf(valuesMs: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(valuesMs).sort();
  return PERCENTILES.map((p) => percentile(sorted, 0, p) ?? Number.NaN);
}

/** Milliseconds of the verified transactions. */
const servedMs = ({ serviceUs, outcome }: { readonly serviceUs: Uint32Array; readonly outcome: Uint8Array }) =>
  [...serviceUs].filter((_, row) => outcome[row] === OUTCOME.success).map((us) => us / 1000);

/** The runners of one cell as local processes, by the emitted arguments. */
async function runSegments(segments: number) {
  const target = await loggingTarget();
  try {
    const folder = join(home, `of-${segments}`);
    const { plan, manifest, k6 } = await emitted(
      folder,
      { timeoutMs: 2000, durationSeconds: SECONDS, rampSeconds: 0, connections: 48, ratePerSecond: RATE, segments },
      { baseUrl: target.baseUrl },
    );
    const node = { folder, k6: k6.path, run: 'by-hand' };
    const ran = await Promise.all(Array.from({ length: segments }, (_, index) => runRunner(manifest, index, node)));
    expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0));
    const { samples } = gatherRunners(
      'cell',
      aSpec(target.baseUrl, {
        ratePerSecond: RATE,
        durationSeconds: (plan.cells[0]?.warmupSeconds ?? 0) + SECONDS,
        segments,
      }),
      ran.map(({ rows }) => rows),
    );
    const served = servedMs(samples);
    expect(served).toHaveLength(target.logMs.length);
    return { merged: percentilesOf(served), log: percentilesOf(target.logMs) };
  } finally {
    await target.close();
  }
}

async function runOne() {
  const target = await loggingTarget();
  try {
    const { samples } = await runCellOf(
      aSpec(target.baseUrl, { ratePerSecond: RATE, durationSeconds: SECONDS, connections: 48 }),
    );
    return { merged: percentilesOf(servedMs(samples)), log: percentilesOf(target.logMs) };
  } finally {
    await target.close();
  }
}

const said = (values: readonly number[]) => values.map((ms) => ms.toFixed(2).padStart(7)).join(' ');

/** Within 0.5 ms or 1 %, whichever is more. */
function expectClose(got: readonly number[], wanted: readonly number[]): void {
  for (const [at, value] of got.entries()) {
    const other = wanted[at] ?? Number.NaN;
    expect([PERCENTILES[at], value, other, Math.abs(value - other) <= Math.max(0.5, 0.01 * other)]).toEqual([
      PERCENTILES[at],
      value,
      other,
      true,
    ]);
  }
}

describe('the percentiles of several runners', () => {
  it('are those of one generator and those of the log of the target', async () => {
    const one = await runOne();
    console.log(`p50 p90 p95 p99 in ms\none generator  ${said(one.merged)}   log ${said(one.log)}`);
    const runs = [];
    for (const segments of [1, 3, 8]) {
      const run = await runSegments(segments);
      console.log(`${segments} runners      ${said(run.merged)}   log ${said(run.log)}`);
      runs.push(run);
    }
    for (const { merged, log } of runs) {
      expectClose(merged, log);
      expectClose(merged, one.merged);
    }
  }, 180_000);
});
