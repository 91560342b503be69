import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LOGIN = `Basic ${Buffer.from('bench:bench').toString('base64')}`;

/** An ANC request as the bytes that go over the wire. */
export function ancBytes(op: 'apply' | 'clear', macAddress: string, policyName: string): Buffer {
  const items = [{ name: 'macAddress', value: macAddress }];
  const additionalData = op === 'apply' ? [...items, { name: 'policyName', value: policyName }] : items;
  const body = JSON.stringify({ OperationAdditionalData: { additionalData } });
  const head = [
    `PUT /ers/config/ancendpoint/${op} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${LOGIN}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends requests one after the other on one connection while there are any; each must be answered with 204. */
async function worker(port: number, next: () => Buffer | undefined, onAnswer: () => void): Promise<void> {
  const socket = await opened(port);
  await new Promise<void>((resolve, reject) => {
    let head = Buffer.alloc(0);
    const send = () => {
      const bytes = next();
      if (bytes === undefined) return resolve();
      socket.write(bytes);
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the deployment closed the connection')));
    socket.on('data', (chunk) => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.indexOf(HEAD_END) < 0) return;
      const status = head.toString('latin1', 9, 12);
      if (status !== '204') return reject(new Error(`answered ${head.toString('latin1', 0, 300)}`));
      head = Buffer.alloc(0);
      onAnswer();
      send();
    });
    send();
  }).finally(() => {
    socket.removeAllListeners('close');
    socket.destroy();
  });
}

/** Sends every request once, each connection one at a time, without a pause: a closed loop. Seconds it took. */
export async function drive(port: number, requests: readonly Buffer[], connections: number): Promise<number> {
  let at = 0;
  const begun = performance.now();
  const workers = Array.from({ length: connections }, () =>
    worker(
      port,
      () => requests[at++],
      () => undefined,
    ),
  );
  await Promise.all(workers);
  return (performance.now() - begun) / 1000;
}

/** Longest time between two answers on one connection, milliseconds, until `done`; and how many answers there were. */
export async function longestGap(
  port: number,
  next: () => Buffer,
  done: () => boolean,
): Promise<{ readonly gapMs: number; readonly answers: number }> {
  let last = performance.now();
  let gapMs = 0;
  let answers = 0;
  await worker(
    port,
    () => (done() ? undefined : next()),
    () => {
      const now = performance.now();
      gapMs = Math.max(gapMs, now - last);
      last = now;
      answers += 1;
    },
  );
  return { gapMs, answers };
}

/** Milliseconds of one list request, and its number of records. Throws where it is not answered with 200. */
export async function timedList(
  port: number,
  query: string,
): Promise<{ readonly ms: number; readonly records: number }> {
  const begun = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/ers/config/ancendpoint?${query}`, {
    headers: { Authorization: LOGIN, Accept: 'application/json' },
  });
  const body = (await response.json()) as { SearchResult: { resources: unknown[] } };
  if (response.status !== 200) throw new Error(`the list was answered ${response.status}`);
  return { ms: performance.now() - begun, records: body.SearchResult.resources.length };
}
