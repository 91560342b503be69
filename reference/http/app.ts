import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { Seams } from '../seams.ts';
import { type Answer, type Call, wireRequest } from './wire.ts';

type Bindings = { Bindings: HttpBindings };

/**
 * Answers are written past the framework: as its streams, they would cost twice as much, and it writes the names of headers in small
 * letters, while real clients look them up by exactly these spellings (C22).
 */
function toResponse({ env: { outgoing } }: Context<Bindings>, answer: Answer): Response {
  const { status, headers, body, reset, cookies, bare } = answer;
  if (reset === true) outgoing.socket?.destroy();
  const isText = typeof body === 'string';
  const isEmpty = status === 204 || status === 304;
  const written: Record<string, string | number | string[]> = {
    ...(isText && !isEmpty ? { 'Content-Length': Buffer.byteLength(body) } : {}),
    ...headers,
    ...(cookies === undefined ? {} : { 'Set-Cookie': [...cookies] }),
  };
  if (bare === true) {
    delete written['Content-Length'];
    outgoing.writeHead(status, '', written);
  } else outgoing.writeHead(status, written);
  if (isText) outgoing.end(isEmpty ? undefined : body);
  else body.pipe(outgoing);
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
