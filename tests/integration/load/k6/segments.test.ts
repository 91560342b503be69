import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { afterDelay, ancServerOfTest, closeAncServers } from '../../../helpers/anc-server.ts';
import { aSpec, brokenRecord, EMPTY_POOL, judgeRun, runCellOf } from '../../../helpers/k6-run.ts';

afterAll(closeAncServers);

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

describe('a cell on three k6 processes', () => {
  it.concurrent('sends every arrival of the schedule once, and records it as one process does', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const spec = aSpec(server.baseUrl, { segments: 3, connections: 60 });
    const run = await runCellOf(spec);
    const report = judgeRun(run, spec);
    expect(brokenRecord(report)).toEqual([]);
    expect(server.bodies).toHaveLength(run.counts.started);
    expect(new Set(server.bodies).size).toBe(server.bodies.length);
    const bodies = server.bodies.length;
    const one = await runCellOf(aSpec(server.baseUrl, { connections: 60 }));
    // Each of the four processes may or may not start the arrival that falls on its end.
    expect(Math.abs(one.counts.scheduled - run.counts.scheduled)).toBeLessThanOrEqual(4);
    const inTime = ({ dueUs }: { dueUs: Float64Array }) => dueUs.filter((us) => us < 3e6);
    expect(inTime(run.samples)).toEqual(inTime(one.samples));
    // The same endpoints: the numbers of the segments are those of the whole. What a busy machine drops takes no number.
    const wanted = new Set(server.bodies.slice(bodies));
    const others = server.bodies.slice(0, bodies).filter((body) => !wanted.has(body));
    expect(others.length).toBeLessThanOrEqual(4 + one.counts.dropped);
  });

  it.concurrent('ends all of them when the script cannot begin', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const run = await runCellOf(aSpec(server.baseUrl, { segments: 2, pool: EMPTY_POOL }));
    expect([run.counts.started, server.bodies.length]).toEqual([0, 0]);
    expect(judgeRun(run, aSpec(server.baseUrl)).verdict).toBe('invalid');
  });

  it.concurrent('listens on no port that could start or stop it', async () => {
    const server = await ancServerOfTest(afterDelay(1));
    const pids: number[] = [];
    const ran = runCellOf(aSpec(server.baseUrl, { segments: 2, connections: 20 }), {
      onSpawn: (pid) => void pids.push(pid),
    });
    while (server.bodies.length < 100) await setTimeout(20);
    expect(pids.map(listeningSockets)).toEqual([[], []]);
    await ran;
  });
});
