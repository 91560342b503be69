import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { Seams } from '../seams.ts';
import { type Answer, type Call, wireRequest } from './wire.ts';

type Bindings = { Bindings: HttpBindings };

/** Texts are written at once: through a stream, as the framework hands them on, an answer costs twice as much. */
function toResponse(c: Context<Bindings>, { status, headers, body, reset, cookies, bare }: Answer): Response {
  const { outgoing } = c.env;
  if (reset === true) outgoing.socket?.destroy();
  const empty = status === 204 || status === 304;
  if (typeof body !== 'string') {
    const stream = empty ? null : (Readable.toWeb(body) as unknown as ReadableStream);
    return new Response(stream, { status, headers: headers as Record<string, string> });
  }
  const written: Record<string, string | number | string[]> = empty
    ? {}
    : { 'content-length': Buffer.byteLength(body) };
  for (const name in headers) written[name.toLowerCase()] = headers[name] as string;
  if (cookies !== undefined) written['set-cookie'] = [...cookies];
  if (bare === true) {
    delete written['content-length'];
    outgoing.writeHead(status, '', written);
  } else outgoing.writeHead(status, written);
  outgoing.end(empty ? undefined : body);
  return RESPONSE_ALREADY_SENT;
}

/** The HTTP application: one Hono route for each row of the routing table, a refusal of other methods, and the rest. */
export function createApp(seams: Seams, scheme: 'http' | 'https'): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const { routes } = seams.routing;
  const answer = async (c: Context<Bindings>, rest: Omit<Call, 'request'>) =>
    toResponse(c, await seams.front.handle({ request: wireRequest(c.env.incoming, scheme), ...rest }));

  for (const route of routes) {
    const paths = [route.path, `${route.path}/`];
    app.on(route.method, paths, (c) => answer(c, { route, params: c.req.param() as Record<string, string> }));
  }
  const families = new Set(routes.map(({ family }) => `${PATH_PREFIX}/${family}/:id`));
  for (const path of new Set([...routes.map((route) => route.path), ...families])) {
    const allowed = [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))];
    app.all(path, (c) => answer(c, { params: {}, allowed }));
    app.all(`${path}/`, (c) => answer(c, { params: {}, allowed }));
  }
  app.notFound((c) => answer(c, { params: {} }));
  return app;
}
