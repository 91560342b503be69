import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { type Asked, type Audited, classify, type Delivery, type Reply } from './exchange.ts';

type Changed = { readonly mutations: readonly string[] };

/** Decides what a request and its answer become. */
export interface Meddler {
  readonly before: (asked: Asked) => { readonly asked: Asked; readonly instead?: Reply } & Changed;
  readonly after: (asked: Asked, reply: Reply) => Promise<{ readonly reply: Reply } & Changed>;
}

const DRIP_MS = 20;
/** Pieces of an endless answer that are sent at a time. */
const ENDLESS_AT_ONCE = 16;

/** Sends without an end what it says, as fast as it is taken; the client has to give up. */
function sendEndless(kind: NonNullable<Delivery['endless']>, response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  const isBody = kind === 'chunks';
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${isBody ? 'Transfer-Encoding: chunked\r\n\r\n' : ''}`,
  );
  const piece = isBody ? `4000\r\n${' '.repeat(0x4000)}\r\n` : `X-Flood: ${'x'.repeat(1000)}\r\n`;
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else if (kind === 'drip') socket.write('x');
    else if (!socket.writableNeedDrain) for (let at = 0; at < ENDLESS_AT_ONCE; at += 1) socket.write(piece);
  }, DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Sends an answer the way it says. A timer that is still on when the client goes away is dropped. */
function deliver({ status, headers, body, delivery = {} }: Reply, response: ServerResponse, isHead: boolean): void {
  const { delayMs = 0, cutAfter, silent, dripBytes } = delivery;
  if (silent === true) return;
  if (delivery.endless !== undefined) return void sendEndless(delivery.endless, response);
  const timer = setTimeout(() => {
    if (cutAfter === 0) return void response.socket?.destroy();
    const { connection: _c, 'transfer-encoding': _t, 'keep-alive': _k, ...kept } = headers;
    try {
      for (const [name, value] of Object.entries(kept)) response.setHeader(name, value as string | string[]);
    } catch {
      // A header that HTTP cannot carry is left out.
    }
    response.writeHead(status);
    const empty = isHead || status === 204 || status === 304;
    if (cutAfter !== undefined) {
      response.write(body.subarray(0, cutAfter), () => response.socket?.destroy());
      return;
    }
    if (dripBytes === undefined || empty) return void response.end(empty ? undefined : body);
    let at = 0;
    const drip = setInterval(() => {
      response.write(body.subarray(at, at + dripBytes));
      at += dripBytes;
      if (at < body.length && !response.destroyed) return;
      clearInterval(drip);
      response.end();
    }, DRIP_MS);
    response.once('close', () => clearInterval(drip));
  }, delayMs);
  response.once('close', () => clearTimeout(timer));
}

/** Stands before a deployment, lets a meddler change what passes, and writes down all of it. */
export async function auditingProxy(port: number, meddler: Meddler) {
  const audit: Audited[] = [];
  const agent = new Agent({ keepAlive: true });
  const ask = (asked: Asked, headers: IncomingMessage['headers']): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const length = asked.body === '' ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) };
      const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = headers;
      const onward = forward(
        { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers: { ...rest, ...length }, agent },
        (answer) => {
          const { statusCode: status = 502, headers } = answer;
          buffer(answer).then((body) => resolve({ status, headers: headers as Reply['headers'], body }), reject);
        },
      );
      onward.on('error', reject);
      onward.end(asked.body === '' ? undefined : asked.body);
    });
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming);
    const asked: Asked = { method, url, headers, body, ...classify(method, url) };
    const { asked: sent, instead, mutations } = meddler.before(asked);
    const honest = instead === undefined ? await ask(sent, headers) : null;
    const { reply, mutations: more } = await meddler.after(asked, instead ?? (honest as Reply));
    const [number, atMs] = [audit.length, performance.now()];
    audit.push({ number, atMs, asked, honest, told: reply, mutations: [...mutations, ...more] });
    deliver(reply, response, method === 'HEAD');
  };
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, response) => {
    handle(incoming, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    audit,
    close: () =>
      new Promise<void>((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type AuditingProxy = Awaited<ReturnType<typeof auditingProxy>>;
