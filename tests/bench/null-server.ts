import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target that answers 204 to everything, as cheaply as Node can; it tells its port to who started it. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
