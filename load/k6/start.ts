import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { GeneratorError } from '../../lib/errors.ts';

/** What k6 calls the state in which its virtual users are made and it waits for its start. */
const WAITING = 4;
const POLL_MS = 50;
const ASK_MS = 1000;
const READY_MS = 60_000;

/** Free ports of the loopback interface, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
          }),
      ),
    );
  } finally {
    for (const server of servers) server.close();
  }
}

async function stateOf(port: number): Promise<number | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`, { signal: AbortSignal.timeout(ASK_MS) });
    const body = (await response.json()) as { data?: { attributes?: { status?: number } } };
    return body.data?.attributes?.status;
  } catch {
    // Not listening yet.
    return undefined;
  }
}

async function waits(port: number, giveUp: AbortSignal): Promise<void> {
  while ((await stateOf(port)) !== WAITING) {
    giveUp.throwIfAborted();
    await setTimeout(POLL_MS);
  }
}

/** Waits until all paused k6 processes are ready, then starts them at once. Rejects where one cannot be started. */
export async function startTogether(ports: readonly number[], ended: AbortSignal): Promise<void> {
  const giveUp = AbortSignal.any([ended, AbortSignal.timeout(READY_MS)]);
  await Promise.all(ports.map((port) => waits(port, giveUp)));
  const body = JSON.stringify({ data: { type: 'status', id: 'default', attributes: { paused: false } } });
  const answers = await Promise.all(
    ports.map((port) =>
      fetch(`http://127.0.0.1:${port}/v1/status`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body,
        signal: giveUp,
      }),
    ),
  );
  const refused = answers.find(({ ok }) => !ok);
  if (refused !== undefined) throw new GeneratorError('k6-start', `k6 refused to start: status ${refused.status}`);
}
