import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aClient } from '../../../helpers/a-client.ts';

const BODY = 'HTTP/1.1 100 is how this body begins';
const LAST = `HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** A server of bytes: gives the base URL, and how many connections there were. */
async function listen(onConnection: (socket: Socket) => void) {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket.on('error', () => undefined).setNoDelay());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections };
}

/** Answers every request with these pieces, each of which is sent by itself. */
const answering = (pieces: readonly string[]) =>
  listen((socket) => {
    let asked = '';
    socket.on('data', async (bytes) => {
      asked += bytes.toString('latin1');
      const [head = '', body] = asked.split('\r\n\r\n');
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      asked = '';
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise(setImmediate);
      }
    });
  });

/** A proxy that only tunnels. */
const tunnel = () =>
  listen((socket) => {
    socket.once('data', (bytes) => {
      const [, host, port] = /^CONNECT ([^:]+):(\d+)/.exec(bytes.toString('latin1')) ?? [];
      const target = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      target.on('error', () => undefined);
      socket.pipe(target).pipe(socket);
    });
  });

it('gives up on a proxy that closes each connection, in the time of one answer', async () => {
  const closing = await listen((socket) => socket.once('data', () => socket.end()));
  const { client } = aClient('https://policy.example.com', { target: { proxy: closing.url, timeoutMs: 300 } });
  await expect(client.send('sgt', 'list')).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining(`through the proxy 127.0.0.1:${closing.port}: no whole answer`),
  });
});

describe('a target that answers 100 Continue unasked', () => {
  it.each([
    ['once, in one piece with the answer', [CONTINUE + LAST + BODY]],
    ['by itself', [CONTINUE, LAST, BODY]],
    ['twice, with a header', ['HTTP/1.1 100\r\n\r\nHTTP/1.0 100 Go on\r\nVia: gateway\r\n\r\n', LAST, BODY]],
    ['byte by byte', [...(CONTINUE + LAST)].concat(BODY)],
    ['among others', ['HTTP/1.1 102 Processing\r\n\r\n', LAST, BODY]],
    ['never', [LAST, BODY]],
  ])('%s is measured by its last answer, on one connection', async (_, pieces) => {
    const target = await answering(pieces);
    const { client } = aClient(target.url, { target: { connections: 1 } });
    for (let each = 0; each < 3; each += 1) {
      const answer = await client.send('sgt', 'read', { id: 'x' });
      expect([answer.status, answer.body]).toEqual([404, BODY]);
    }
    expect(target.connections()).toBe(1);
  });

  it('behind a proxy is measured too', async () => {
    const [target, proxy] = [await answering([CONTINUE, LAST, BODY]), await tunnel()];
    const { client } = aClient(target.url, { target: { proxy: proxy.url } });
    expect((await client.send('sgt', 'read', { id: 'x' })).status).toBe(404);
    expect(proxy.connections()).toBe(1);
  });
});
