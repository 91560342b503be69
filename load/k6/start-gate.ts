import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timeLimit } from '../../lib/time-limit.ts';

/** How long the first process waits for the last one; k6 gives a set-up 60 s. */
const READY_MS = 50_000;

/** A gate on the loopback where k6 processes wait for each other; unlike the port of k6, nobody else can open it. */
export async function openStartGate(processes: number, ended: AbortSignal) {
  const secret = randomBytes(16).toString('hex');
  const arrived = new Set<string>();
  const waiting: ServerResponse[] = [];
  const giveUp = timeLimit(READY_MS, ended);
  let letThrough = () => {};
  const opened = new Promise<void>((resolve, reject) => {
    letThrough = resolve;
    giveUp.addEventListener('abort', () => reject(giveUp.reason), { once: true });
  });
  const paths = Array.from({ length: processes }, (_, index) => `/${secret}/${index}`);
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (!paths.includes(url)) return void response.writeHead(404).end();
    arrived.add(url);
    waiting.push(response);
    if (arrived.size < processes) return;
    for (const held of waiting) held.writeHead(204, { Connection: 'close' }).end();
    server.close();
    letThrough();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    /** The address that one process asks for in its set-up; the answer comes when all have asked. */
    urlOf: (index: number) => `http://127.0.0.1:${port}${paths[index]}`,
    /** Resolves when all processes were let through. Rejects if one of them has ended before, or takes longer than 50 s. */
    opened,
    shut() {
      server.close();
      server.closeAllConnections();
    },
  };
}
