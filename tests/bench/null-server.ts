import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target that answers 204 to everything, as cheaply as Node can. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
process.stdin.once('end', () => process.exit(0)).resume();
process.once('SIGTERM', () => process.exit(0));
