import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { permutation } from '../../../lib/wire/endpoint.ts';
import { rampArrivals } from '../../../lib/wire/scenario.ts';
import { DEFAULT_ABORT } from '../../../load/plan/abort-rules.ts';
import { begunIn } from '../../../load/run/cell-facts.ts';
import { type Answer, afterDelay, closeAncServers, REPLACED } from '../../helpers/anc-server.ts';
import { brokenRecord, cellAgainst, judgeRun } from '../../helpers/k6-run.ts';

afterAll(closeAncServers);

const RATE = 40;

/** Runs a cell of eight seconds against a target that gives its answers by their number, from 0. */
function against(answer: (response: ServerResponse, number: number) => void) {
  let number = 0;
  const asked = { ratePerSecond: RATE, durationSeconds: 8, connections: 20 };
  return cellAgainst((_request, _body, response) => answer(response, number++), asked, { abort: DEFAULT_ABORT });
}

const status = (response: ServerResponse, code: number) => response.writeHead(code).end();

/** k6 ended in order, what it recorded is whole, and the cell is not met and says why. */
function expectStopped({ run, spec }: Awaited<ReturnType<typeof against>>, rule: string): void {
  expect(run.stopped?.rule).toBe(rule);
  expect([run.aborted, run.generator.exitCode, run.generator.signal]).toEqual([false, 105, null]);
  expect(run.counts.scheduled).toBeLessThan(spec.ratePerSecond * spec.durationSeconds);
  expect(begunIn({ targetPerSecond: RATE } as never, run)).toBe(run.counts.started + 5 * RATE);
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

const seconds = 2;
const rampUp = (ratePerSecond: number) => ({ seconds, arrivals: rampArrivals(ratePerSecond, seconds) });
const macsOf = (bodies: readonly string[]) =>
  bodies.map((body) => /"value":"([0-9A-Fa-f:]{17})"/.exec(body)?.[1] ?? '');

/** Places of addresses in the order in which a cell uses its endpoints. */
function placesOf(macs: readonly string[], size: number): readonly number[] {
  const order = permutation(size, 1);
  const places = new Map(Array.from({ length: size }, (_, place) => [order(place), place]));
  return macs.map((mac) => places.get(Number.parseInt(mac.replaceAll(':', '').slice(-6), 16)) ?? -1);
}

describe.concurrent('a ramp-up before the steady state', () => {
  it('uses the first endpoints and leaves the schedule of the steady state as it is', async () => {
    const { server, spec, run, report } = await cellAgainst(afterDelay(1), { ramp: rampUp(250) });
    expect(brokenRecord(report)).toEqual([]);
    // 250 arrivals of a triangle of two seconds, and those of three seconds and the tail.
    const rampUpSucceeded = run.ramp?.succeeded ?? [];
    expect(rampUpSucceeded.length).toBeGreaterThan(200);
    expect(rampUpSucceeded.length).toBeLessThanOrEqual(rampUp(250).arrivals);
    expect(run.counts.scheduled).toBeGreaterThanOrEqual(750);
    expect(server.bodies).toHaveLength(run.counts.started + rampUpSucceeded.length);
    const places = placesOf(macsOf(server.bodies), spec.pool.size);
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...places.slice(0, rampUpSucceeded.length))).toBeLessThan(rampUp(250).arrivals);
    expect(Math.min(...places.slice(rampUpSucceeded.length))).toBe(rampUp(250).arrivals);
    // The ramp-up takes the connections that the steady state then has, and no others.
    expect(server.mostAtOnce()).toBeLessThanOrEqual(spec.connections);
    expect(server.connections()).toBeLessThanOrEqual(spec.connections + REPLACED);
  });

  it('fails and drops apart from the steady state', async () => {
    let answered = 0;
    const failing: Answer = (_request, _body, response) => {
      answered += 1;
      setTimeout(status, 150, response, answered < 50 ? 500 : 204);
    };
    const asked = { ramp: rampUp(200), ratePerSecond: 200, connections: 10, durationSeconds: 1 };
    const { run } = await cellAgainst(failing, asked);
    expect(run.ramp?.dropped).toBeGreaterThan(0);
    expect(run.ramp?.failed).toBeGreaterThan(0);
    // Those of one second and the tail, of which a connection carries one in 150 ms.
    expect(run.counts.scheduled).toBeGreaterThanOrEqual(200);
    expect(run.counts.scheduled).toBeLessThan(230);
    expect(run.counts.dropped).toBeGreaterThan(0);
    expect(run.generator.streamComplete).toBe(true);
  });

  it('stops a cell that is refused its login, before the steady state', async () => {
    const refusing: Answer = (_request, _body, response) => response.writeHead(401).end();
    const { server, run, report } = await cellAgainst(refusing, { ramp: rampUp(250) }, { abort: DEFAULT_ABORT });
    expect([run.stopped?.rule, run.counts.started]).toEqual(['refused-login', 0]);
    expect(report.verdict).not.toBe('met');
    expect(server.bodies.length).toBeLessThan(100);
  });
});
