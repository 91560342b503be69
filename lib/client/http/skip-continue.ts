import type { Duplex } from 'node:stream';
import { buildConnector, Pool } from 'undici';

/** Longest run of interim answers that is waited for; a longer one is passed on as it is. */
const LIMIT_BYTES = 64 * 1024;
const LINES = ['HTTP/1.1 100', 'HTTP/1.0 100'];
const LINE_LENGTH = 12;
const HEAD_END = '\r\n\r\n';

/** Where the final answer begins behind all `100 Continue`; undefined if more has to come before that can be told. */
function finalStart(bytes: Buffer): number | undefined {
  let at = 0;
  while (bytes.length < LIMIT_BYTES) {
    const line = bytes.toString('latin1', at, at + LINE_LENGTH);
    if (!LINES.some((known) => known.startsWith(line))) return at;
    const end = line.length < LINE_LENGTH ? -1 : bytes.indexOf(HEAD_END, at, 'latin1');
    if (end === -1) return undefined;
    at = end + HEAD_END.length;
  }
  return 0;
}

/** Removes each `100 Continue` before an answer: it may come unasked (RFC 9110, 15.2), and the HTTP client would close the connection. */
function withoutContinue<Socket extends Duplex>(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isFirst = true;
  let held = Buffer.alloc(0);
  socket.write = (...args: unknown[]) => {
    isFirst = true;
    return write(...args);
  };
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || !isFirst) return chunk;
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const at = finalStart(all);
    isFirst = at === undefined;
    held = isFirst ? Buffer.from(all) : Buffer.alloc(0);
    return at === undefined ? null : all.subarray(at);
  };
  return socket;
}

/** Makes the connections to an origin, none of which is closed by a `100 Continue`. */
export function poolSkippingContinue(origin: string | URL, given: object): Pool {
  const { connect, ...options } = given as Pool.Options;
  const open = typeof connect === 'function' ? connect : buildConnector({ ...connect });
  return new Pool(origin, {
    ...options,
    connect: (where, done) =>
      open(where, (...[error, socket]) => (error === null ? done(null, withoutContinue(socket)) : done(error, null))),
  });
}
