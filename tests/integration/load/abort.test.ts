import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import type { CellRun } from '../../../load/k6/facts.ts';
import { DEFAULT_ABORT } from '../../../load/plan/abort-rules.ts';
import type { CellSpec } from '../../../load/plan/cell-spec.ts';
import { type AncServer, ancServerOfTest, closeAncServers } from '../../helpers/anc-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

afterAll(closeAncServers);

const RATE = 40;

interface Stopped {
  readonly run: CellRun;
  readonly spec: CellSpec;
  readonly server: AncServer;
}

/** Runs a cell of eight seconds against a target that gives its answers by their number, from 0. */
async function against(
  answer: (response: ServerResponse, number: number, server: AncServer) => void,
  changes: Partial<CellSpec> = {},
): Promise<Stopped> {
  let number = 0;
  const made: { server?: AncServer } = {};
  const server = await ancServerOfTest((_request, _body, response) => {
    if (made.server !== undefined) answer(response, number++, made.server);
  });
  made.server = server;
  const spec = aSpec(server.baseUrl, { ratePerSecond: RATE, durationSeconds: 8, connections: 20, ...changes });
  const run = await runCellOf(spec, { abort: DEFAULT_ABORT });
  return { run, spec, server };
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

  it('after 50 answers that are one and the same refusal, with its words', { timeout: 60_000 }, async () => {
    const stopped = await against((response, number) => {
      const title = `Session lookup failure, "associated" with ip 10.0.0.${number % 200}`;
      const body = JSON.stringify({ ERSResponse: { messages: [{ title, type: 'ERROR' }] } });
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(body);
    });
    expectStopped(stopped, 'same-refusal');
    expect(stopped.run.stopped?.says).toMatch(/^400 "Session lookup failure, "associated" with ip 10\.0\.0\.\d+"$/);
    expect(stopped.run.failures).toMatchObject([{ example: expect.stringContaining('Session lookup failure') }]);
    expect(stopped.server.bodies.length).toBeLessThan(DEFAULT_ABORT.alike * 3);
  });
});
