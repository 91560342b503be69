import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import type { CellRun } from '../../../load/k6/cell-types.ts';
import { type AbortLimits, DEFAULT_ABORT } from '../../../load/plan/abort-rules.ts';
import type { CellSpec } from '../../../load/plan/cell-spec.ts';
import { type AncServer, ancServer } from '../../helpers/anc-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

const servers: AncServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

const RATE = 40;

interface Stopped {
  readonly run: CellRun;
  readonly spec: CellSpec;
  readonly server: AncServer;
  /** Milliseconds from the first request to the last. */
  readonly lastedMs: number;
}

/** Runs a cell of eight seconds against a target that gives its answers by their number, from 0. */
async function against(
  answer: (response: ServerResponse, number: number, server: AncServer) => void,
  limits: Partial<AbortLimits> = {},
  changes: Partial<CellSpec> = {},
): Promise<Stopped> {
  let number = 0;
  const [moments, made]: [number[], { server?: AncServer }] = [[], {}];
  const server = await ancServer((_request, _body, response) => {
    moments.push(performance.now());
    if (made.server !== undefined) answer(response, number++, made.server);
  });
  made.server = server;
  servers.push(server);
  const spec = aSpec(server.baseUrl, { ratePerSecond: RATE, durationSeconds: 8, connections: 20, ...changes });
  const run = await runCellOf(spec, { abort: { ...DEFAULT_ABORT, ...limits } });
  return { run, spec, server, lastedMs: (moments.at(-1) ?? 0) - (moments[0] ?? 0) };
}

const status = (response: ServerResponse, code: number) => response.writeHead(code).end();

/** k6 ended in order, what it recorded is whole, and the cell is not met and says why. */
function expectStopped({ run, spec }: Stopped, rule: string): void {
  expect(run.stopped?.rule).toBe(rule);
  expect([run.aborted, run.generator.exitCode, run.generator.signal]).toEqual([false, 105, null]);
  expect(run.counts.scheduled).toBeLessThan(spec.ratePerSecond * spec.durationSeconds);
  const report = judgeRun(run, spec, 0);
  expect(report.verdict).not.toBe('met');
  expect(report.reasons.join('\n')).toContain(`stopped to spare the target: ${run.stopped?.text}`);
  const broken = report.rules.filter(({ id, holds }) => ['k6-ended', 'record-consistent'].includes(id) && !holds);
  expect(broken).toEqual([]);
}

describe.concurrent('k6 is stopped in order', () => {
  it('at the first 401, however many good answers came before', { timeout: 60_000 }, async () => {
    const stopped = await against((response, number) => status(response, number === 60 ? 401 : 204));
    expectStopped(stopped, 'refused-login');
    // Rows come four times a second, and k6 lets no further arrival start once it is told to stop.
    expect(stopped.server.bodies.length).toBeGreaterThan(60);
    expect(stopped.server.bodies.length).toBeLessThan(60 + 4 * RATE);
  });

  it('at the third 403, and not at the second', { timeout: 60_000 }, async () => {
    const two = await against(
      (response, number) => status(response, number < 2 ? 403 : 204),
      {},
      { durationSeconds: 2 },
    );
    expect([two.run.stopped, two.run.generator.exitCode]).toEqual([undefined, 0]);
    const three = await against((response, number) => status(response, number % 20 === 19 ? 403 : 204));
    expectStopped(three, 'forbidden');
    expect(three.run.failures.find(({ status: code }) => code === 403)?.count).toBeGreaterThanOrEqual(3);
  });

  it('when more than half of five seconds is answered 5xx, and not at less', { timeout: 60_000 }, async () => {
    const [most, few] = await Promise.all([
      against((response, number) => status(response, number % 10 < 7 ? 503 : 204)),
      against((response, number) => status(response, number % 10 < 3 ? 503 : 204)),
    ]);
    expectStopped(most, 'server-errors');
    expect(most.lastedMs).toBeGreaterThan(4000);
    expect([few.run.stopped, few.run.generator.exitCode]).toEqual([undefined, 0]);
  });

  it('when connections are refused', { timeout: 60_000 }, async () => {
    const stopped = await against((response, number, server) => {
      status(response, 204);
      if (number === 20) void server.close();
    });
    expectStopped(stopped, 'refused-connections');
    expect(stopped.run.failures.some(({ kind }) => kind === 'transport')).toBe(true);
  });

  it('when the p99 stays above the limit that is given, and only then', { timeout: 60_000 }, async () => {
    const slow = (response: ServerResponse) => void setTimeout(() => status(response, 204), 150);
    const [limited, free] = await Promise.all([against(slow, { p99Ms: 100 }), against(slow)]);
    expectStopped(limited, 'p99');
    expect([free.run.stopped, free.run.generator.exitCode]).toEqual([undefined, 0]);
  });

  it('on all segments, when one of them meets a rule', { timeout: 60_000 }, async () => {
    const stopped = await against(
      (response, number) => status(response, number === 60 ? 401 : 204),
      {},
      { segments: 2 },
    );
    expect(stopped.run.stopped?.rule).toBe('refused-login');
    expect([stopped.run.generator.exitCode, stopped.run.segments?.of]).toEqual([105, 2]);
    expect(stopped.server.bodies.length).toBeLessThan(60 + 4 * RATE);
  });
});
