import type { IncomingMessage } from 'node:http';
import { Problem } from '../answers/problem.ts';
import type { WireRequest } from './wire.ts';

/** Largest body in bytes that is read. */
const BODY_LIMIT_BYTES = 1024 * 1024;

const tooLarge = () =>
  new Problem(413, 'size', `The body is larger than ${BODY_LIMIT_BYTES} bytes`, { headers: { Connection: 'close' } });

/** Body of a message as UTF-8 text. Throws `Problem` (413) above the limit. */
function readText(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    incoming.once('end', () =>
      resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8')),
    );
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Problem(400, 'schema', 'The body ended early')));
  });
}

/** What the deployment needs to know of a message. */
export function wireRequest(incoming: IncomingMessage, scheme: 'http' | 'https'): WireRequest {
  const url = incoming.url ?? '/';
  const at = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: at < 0 ? '' : url.slice(at + 1),
    headers: incoming.headers,
    origin: `${scheme}://${incoming.headers.host ?? 'localhost'}`,
    connection: incoming.socket,
    body: () => readText(incoming),
  };
}
