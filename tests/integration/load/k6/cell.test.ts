import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { CellFacts } from '../../../../lib/records/load/load.ts';
import type { CellProgress } from '../../../../lib/records/load/parts.ts';
import { afterDelay, ancServerOfTest, closeAncServers, REPLACED } from '../../../helpers/anc-server.ts';
import { aSpec, brokenRecord, EMPTY_POOL, judgeRun, runCellOf } from '../../../helpers/k6-run.ts';

afterAll(closeAncServers);

/** A machine that is busy elsewhere makes a cell invalid, and the product repeats those once; so does the test. */
const BUSY = { retry: 2 } as const;

/** Sockets of a process that listen, by their numbers in the tables of the kernel. */
function listeningSockets(pid: number): string[] {
  const tables = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'));
  const listening = new Set(
    tables.map((row) => row.trim().split(/\s+/)).flatMap((row) => (row[3] === '0A' ? [row[9]] : [])),
  );
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
    } catch {
      // Closed meanwhile.
      return undefined;
    }
  });
  return open.filter((inode): inode is string => inode !== undefined && listening.has(inode));
}

// What counts every arrival and no failure has the machine to itself.
describe('a cell on k6', () => {
  it('sends every arrival of the schedule once, to another endpoint each time, and records each of them', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl);
    const seconds: CellProgress[] = [];
    const run = await runCellOf(spec, { onSecond: (progress) => seconds.push(progress) });
    const report = judgeRun(run, spec);
    expect(brokenRecord(report)).toEqual([]);
    expect(run.counts.scheduled).toBeGreaterThanOrEqual(750);
    expect(server.bodies).toHaveLength(run.counts.started);
    expect(new Set(server.bodies).size).toBe(server.bodies.length);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(spec.connections);
    expect(server.connections()).toBeLessThanOrEqual(spec.connections + REPLACED);
    expect(run.failures).toEqual([]);
    // Linux shows what was swapped; elsewhere the rule says that it was not measured.
    if (existsSync('/proc/vmstat')) expect(run.generator.swap).toMatchObject({ k6Kb: expect.any(Number) });
    expect(seconds.length).toBeGreaterThan(0);
    expect(CellFacts.parse(report.facts)).toEqual(report.facts);
  });

  it.concurrent('listens on no port that could start or stop it', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    let listening: readonly string[] | undefined;
    let k6 = 0;
    await runCellOf(aSpec(server.baseUrl, { connections: 20 }), {
      onSpawn: (pid) => (k6 = pid),
      onSecond: () => (listening ??= listeningSockets(k6)),
    });
    expect(listening).toEqual([]);
  });

  it.concurrent('sends the request of the tables with the credentials, which are in no argument of k6', async () => {
    const server = await ancServerOfTest(afterDelay(0));
    let argv = '';
    const spec = aSpec(server.baseUrl, { operation: 'apply-by-ip', durationSeconds: 1, ratePerSecond: 20 });
    await runCellOf(spec, { onSpawn: (pid) => (argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8')) });
    expect(argv).toContain('apply-by-ip');
    expect(argv).not.toContain('canary-secret');
    expect(server.headers[0]).toMatchObject({
      authorization: `Basic ${Buffer.from('load:canary-secret').toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'ers-harness-test',
    });
    const additionalData = [
      { name: 'ipAddress', value: expect.stringMatching(/^10\./) },
      { name: 'policyName', value: 'Quarantine' },
    ];
    expect(JSON.parse(server.bodies[0] ?? '')).toEqual({ OperationAdditionalData: { additionalData } });
  });

  it.concurrent('finds a target too slow for its connections violated, by Little’s law', BUSY, async () => {
    const server = await ancServerOfTest(afterDelay(200));
    const spec = aSpec(server.baseUrl, { connections: 30 });
    const run = await runCellOf(spec);
    const report = judgeRun(run, spec);
    expect(run.counts.dropped).toBeGreaterThan(200);
    expect(server.bodies).toHaveLength(run.counts.started);
    expect(report.verdict).toBe('violated');
    expect(report.reasons[0]).toMatch(
      /^the target is too slow for 30 connections: .* carry at most 1\d\d\/s; 250\/s needs \d\d /,
    );
    const before = (tick: number) => (run.samples.responseUs[tick] ?? 0) - (run.samples.serviceUs[tick] ?? 0);
    const served = [...run.samples.outcome.keys()].filter((tick) => run.samples.outcome[tick] === 0);
    expect(Math.min(...served.map(before))).toBeGreaterThan(-1000);
  });

  it('measures response time through a stall from the intended start', async () => {
    const until = { at: 0 };
    const server = await ancServerOfTest((_request, _body, response) => {
      if (until.at === 0 && server.bodies.length > 300) until.at = Date.now() + 800;
      setTimeout(() => response.writeHead(204).end(), Math.max(0, until.at - Date.now()));
    });
    const spec = aSpec(server.baseUrl, { connections: 300 });
    const run = await runCellOf(spec);
    expect(run.counts.dropped).toBe(0);
    const { responseTime } = judgeRun(run, spec);
    expect(responseTime.maxMs).toBeGreaterThan(750);
    expect(responseTime.p90Ms).toBeGreaterThan(400);
  });
});

describe.concurrent('a run of k6 that does not end well', () => {
  it('is invalid when k6 was killed in the middle', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl, { durationSeconds: 10 });
    let k6 = 0;
    const run = await runCellOf(spec, {
      onSpawn: (pid) => (k6 = pid),
      onSecond: ({ second }) => second === 1 && process.kill(k6, 'SIGKILL'),
    });
    const report = judgeRun(run, spec);
    expect(run.generator).toMatchObject({ signal: 'SIGKILL', streamComplete: false });
    expect(report.verdict).toBe('invalid');
  });

  it('is stopped by the caller’s signal, keeps what was recorded, and is invalid', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl, { durationSeconds: 30 });
    const stop = new AbortController();
    const run = await runCellOf(spec, { signal: stop.signal, onSecond: ({ second }) => second === 1 && stop.abort() });
    expect(run).toMatchObject({ aborted: true, generator: { exitCode: 105, signal: null } });
    expect(run.counts.recorded).toBeGreaterThan(0);
    expect(judgeRun(run, spec).verdict).toBe('invalid');
  });

  it('is invalid, not violated, when k6 cannot keep its schedule', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl);
    const timers: NodeJS.Timeout[] = [];
    const run = await runCellOf(spec, {
      onSpawn(pid) {
        const send = (signal: NodeJS.Signals) => existsSync(`/proc/${pid}`) && process.kill(pid, signal);
        timers.push(setInterval(send, 300, 'SIGSTOP'), setInterval(send, 200, 'SIGCONT'));
      },
    }).finally(() => timers.forEach(clearInterval));
    expect(judgeRun(run, spec).verdict).toBe('invalid');
  });

  it('is invalid when iterations throw, although k6 ends with code 0', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const text = () => '02:00:00:00:00:01,10.0.0.1\n02:00:00:00:00:02';
    const pool = { offset: 0, size: 2, seed: 1, source: { kind: 'file', path: 'pool.txt', text, digest: '' } } as const;
    const spec = aSpec(server.baseUrl, { operation: 'apply-by-ip', durationSeconds: 2, pool });
    const run = await runCellOf(spec);
    expect(run.generator.exitCode).toBe(0);
    expect(run.counts.exceptions).toBeGreaterThan(100);
    const { verdict, reasons } = judgeRun(run, spec);
    expect(verdict).toBe('invalid');
    expect(reasons.join()).toContain('no iteration threw');
  });

  it('is invalid when the script cannot begin', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl, { pool: EMPTY_POOL });
    const run = await runCellOf(spec);
    expect(run).toMatchObject({ generator: { exitCode: 107 }, counts: { started: 0 } });
    expect(run.generator.warnings.join()).toContain('has 0 endpoints');
    expect([judgeRun(run, spec).verdict, server.bodies.length]).toEqual(['invalid', 0]);
  });

  it('is refused before anything is sent when there is no scenario', async () => {
    const noBundle = runCellOf(aSpec('http://127.0.0.1:9'), { bundle: '/nowhere.js' });
    await expect(noBundle).rejects.toMatchObject({ code: 'no-bundle' });
  });
});
