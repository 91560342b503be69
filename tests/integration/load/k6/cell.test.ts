import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { CellFacts } from '../../../../lib/records/load/load.ts';
import type { CellProgress } from '../../../../lib/records/load/parts.ts';
import { type Answer, afterDelay, closeAncServers, REPLACED } from '../../../helpers/anc-server.ts';
import { aSpec, brokenRecord, cellAgainst, EMPTY_POOL, runCellOf } from '../../../helpers/k6-run.ts';

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
    const seconds: CellProgress[] = [];
    const onSecond = (progress: CellProgress) => seconds.push(progress);
    const { server, spec, run, report } = await cellAgainst(afterDelay(1), {}, { onSecond });
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
    let listening: readonly string[] | undefined;
    let k6 = 0;
    const onSecond = () => (listening ??= listeningSockets(k6));
    await cellAgainst(afterDelay(1), { connections: 20 }, { onSpawn: (pid) => (k6 = pid), onSecond });
    expect(listening).toEqual([]);
  });

  it.concurrent('sends the request of the tables to the address of the target, with the credentials, which are in no argument', async () => {
    let argv = '';
    const onSpawn = (pid: number) => (argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    const asked = { operation: 'apply-by-ip', durationSeconds: 1, ratePerSecond: 20 } as const;
    const { server } = await cellAgainst(afterDelay(0), asked, { onSpawn }, 'moving.invalid');
    expect(argv).toContain('apply-by-ip');
    expect(argv).not.toContain('canary-secret');
    expect(server.headers[0]).toMatchObject({
      authorization: `Basic ${Buffer.from('load:canary-secret').toString('base64')}`,
      host: expect.stringMatching(/^moving\.invalid:/),
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
    const { server, run, report } = await cellAgainst(afterDelay(200), { connections: 30 });
    expect(run.counts.dropped).toBeGreaterThan(200);
    expect(server.bodies).toHaveLength(run.counts.started);
    expect(report.verdict).toBe('violated');
    expect(report.reasons[0]).toMatch(/^the target is too slow for 30 connections: .* carry at most 1\d\d\/s$/);
    const before = (tick: number) => (run.samples.responseUs[tick] ?? 0) - (run.samples.serviceUs[tick] ?? 0);
    const served = [...run.samples.outcome.keys()].filter((tick) => run.samples.outcome[tick] === 0);
    expect(Math.min(...served.map(before))).toBeGreaterThan(-1000);
  });

  it('measures response time through a stall from the intended start', async () => {
    let [asked, until] = [0, 0];
    const stall: Answer = (_request, _body, response) => {
      asked += 1;
      if (asked === 300) until = Date.now() + 800;
      setTimeout(() => response.writeHead(204).end(), Math.max(0, until - Date.now()));
    };
    const { run, report } = await cellAgainst(stall, { connections: 300 });
    expect(run.counts.dropped).toBe(0);
    expect(report.responseTime.maxMs).toBeGreaterThan(750);
    expect(report.responseTime.p90Ms).toBeGreaterThan(400);
  });
});

describe.concurrent('a run of k6 that does not end well', () => {
  it('is invalid when k6 was killed in the middle', async () => {
    let k6 = 0;
    const { run, report } = await cellAgainst(
      afterDelay(1),
      { durationSeconds: 10 },
      { onSpawn: (pid) => (k6 = pid), onSecond: ({ second }) => second === 1 && process.kill(k6, 'SIGKILL') },
    );
    expect(run.generator).toMatchObject({ signal: 'SIGKILL', streamComplete: false });
    expect(report.verdict).toBe('invalid');
  });

  it('is stopped by the caller’s signal, keeps what was recorded, and is invalid', async () => {
    const stop = new AbortController();
    const stopping = { signal: stop.signal, onSecond: ({ second }: CellProgress) => second === 1 && stop.abort() };
    const { run, report } = await cellAgainst(afterDelay(1), { durationSeconds: 30 }, stopping);
    expect(run).toMatchObject({ aborted: true, generator: { exitCode: 105, signal: null } });
    expect(run.counts.recorded).toBeGreaterThan(0);
    expect(report.verdict).toBe('invalid');
  });

  it('is invalid, not violated, when k6 cannot keep its schedule', async () => {
    const timers: NodeJS.Timeout[] = [];
    const onSpawn = (pid: number) => {
      const send = (signal: NodeJS.Signals) => existsSync(`/proc/${pid}`) && process.kill(pid, signal);
      timers.push(setInterval(send, 300, 'SIGSTOP'), setInterval(send, 200, 'SIGCONT'));
    };
    const { report } = await cellAgainst(afterDelay(1), {}, { onSpawn }).finally(() => timers.forEach(clearInterval));
    expect(report.verdict).toBe('invalid');
  });

  it('is invalid when iterations throw, although k6 ends with code 0', async () => {
    const text = () => '02:00:00:00:00:01,10.0.0.1\n02:00:00:00:00:02';
    const pool = { offset: 0, size: 2, seed: 1, source: { kind: 'file', path: 'pool.txt', text, digest: '' } } as const;
    const asked = { operation: 'apply-by-ip', durationSeconds: 2, pool } as const;
    const { run, report } = await cellAgainst(afterDelay(1), asked);
    expect(run.generator.exitCode).toBe(0);
    expect(run.counts.exceptions).toBeGreaterThan(100);
    expect(report.verdict).toBe('invalid');
    expect(report.reasons.join()).toContain('no iteration threw');
  });

  it('is invalid when the script cannot begin', async () => {
    const { server, run, report } = await cellAgainst(afterDelay(1), { pool: EMPTY_POOL });
    expect(run).toMatchObject({ generator: { exitCode: 107 }, counts: { started: 0 } });
    expect(run.generator.warnings.join()).toContain('has 0 endpoints');
    expect([report.verdict, server.bodies.length]).toEqual(['invalid', 0]);
  });

  it('is refused before anything is sent when there is no scenario', async () => {
    const noBundle = runCellOf(aSpec('http://127.0.0.1:9'), { bundle: '/nowhere.js' });
    await expect(noBundle).rejects.toMatchObject({ code: 'no-bundle' });
  });
});
