import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { Seams } from '../seams.ts';
import { wireRequest } from './request.ts';
import type { Answer, Call, Route } from './wire.ts';

type Bindings = { Bindings: HttpBindings };

function toResponse(c: Context<Bindings>, answer: Answer): Response {
  if (answer.reset === true) c.env.outgoing.socket?.destroy();
  const empty = answer.status === 204 || answer.status === 304;
  const body =
    typeof answer.body === 'string' ? answer.body : (Readable.toWeb(answer.body) as unknown as ReadableStream);
  return new Response(empty ? null : body, {
    status: answer.status,
    headers: answer.headers as Record<string, string>,
  });
}

/** Methods of the routes that have the same path. */
function methodsAt(routes: readonly Route[], path: string): readonly string[] {
  return [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))];
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
    const allowed = methodsAt(routes, path);
    app.all(path, (c) => answer(c, { params: {}, allowed }));
    app.all(`${path}/`, (c) => answer(c, { params: {}, allowed }));
  }
  app.notFound((c) => answer(c, { params: {} }));
  return app;
}
