import { type AddressInfo, connect, createServer } from 'node:net';

/** Opens a door before a target that lets so many connections in at a time and resets all further ones. */
export async function cappedFront(targetUrl: string, connections: number) {
  const { hostname, port } = new URL(targetUrl);
  const closers = new Set<() => void>();
  let [cap, most, resets] = [connections, 0, 0];
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (closers.size >= cap) {
      resets += 1;
      client.resetAndDestroy();
      return;
    }
    const inner = connect({ host: hostname, port: Number(port), noDelay: true });
    const end = () => {
      closers.delete(end);
      client.destroy();
      inner.destroy();
    };
    closers.add(end);
    most = Math.max(most, closers.size);
    inner.on('error', end).on('close', end);
    client.on('close', end);
    client.pipe(inner).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Connections that are open now, and the most that were at one time. */
    open: () => closers.size,
    most: () => most,
    resets: () => resets,
    /** Another number from now on. */
    cap(other: number) {
      cap = other;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const end of [...closers]) end();
      }),
  };
}
export type CappedFront = Awaited<ReturnType<typeof cappedFront>>;
