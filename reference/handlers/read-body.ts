import { Problem } from '../answers/problem.ts';
import { type Call, headerOf } from '../http/wire.ts';
import type { Fields, Seams } from '../seams.ts';

/** Types whose bodies are read as JSON without a look at the body. */
const PLAIN_TYPES = /^\s*(?:[^/;]+\/(?:[^;]*\+)?json|text\/plain)\s*(?:;|$)/i;

const unsupported = (header: string, value: string) =>
  new Problem(415, 'media', `Illegal Request Header: '${header}' is '${value}' and is not supported.`);

/** Members of the body. Of a type beside JSON and XML, one that begins like an object is taken, any other refused with 415. */
export async function readBody(seams: Seams, call: Call, name: string): Promise<Fields> {
  const { request, route } = call;
  if (route === undefined) throw new Error('a body is read on a route only');
  const encoding = headerOf(request, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity') throw unsupported('content-encoding', encoding);
  const type = headerOf(request, 'content-type');
  const text = await request.body();
  const format = seams.codec.formatOf(type);
  if (format === 'json' && type !== undefined && !PLAIN_TYPES.test(type) && !text.trimStart().startsWith('{'))
    throw unsupported('content-type', type);
  return seams.codec.decode(name, route.op, text, format);
}
