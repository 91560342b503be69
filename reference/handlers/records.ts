import { invalidField, Problem, unsupportedHeader } from '../answers/problem.ts';
import { type Call, headerOf } from '../http/wire.ts';
import type { Change, Fields, Seams } from '../seams.ts';
import type { StoredRecord } from '../store/store.ts';

export function noRecord(name: string, id: string): Problem {
  return new Problem(404, 'missing', `The resource ${name} with id '${id}' does not exist`);
}

/** Creates a record from a body. Throws `Problem` that names the field. */
export async function createRecord(seams: Seams, name: string, fields: Fields): Promise<StoredRecord> {
  const checked = seams.rules.check(name, 'create', fields);
  seams.rules.distinct(name, checked, undefined);
  return seams.store.create(name, seams.rules.fill(name, checked));
}

/** Changes a record; the id of the body, where there is one, is that of the path. Throws `Problem`. */
export async function updateRecord(seams: Seams, name: string, id: string, fields: Fields): Promise<readonly Change[]> {
  const old = seams.store.get(name, id);
  if (old === undefined) throw noRecord(name, id);
  const { id: bodyId, ...members } = seams.rules.check(name, 'update', fields);
  if (bodyId !== undefined && bodyId !== id)
    throw invalidField('id', `the body says '${String(bodyId)}' and the path says '${id}'`);
  seams.rules.distinct(name, members, id);
  const cleared = seams.dialect.omittedOnUpdate === 'clear' ? clearing(old, members) : members;
  return seams.store.update(name, id, seams.rules.fill(name, cleared));
}

function clearing(old: StoredRecord, members: Fields): Fields {
  const gone = Object.keys(old).filter((member) => member !== 'id' && !(member in members));
  return { ...members, ...Object.fromEntries(gone.map((member) => [member, undefined])) };
}

/** Removes a record. Throws `Problem` (404) where there is none. */
export async function removeRecord(seams: Seams, name: string, id: string): Promise<void> {
  if (seams.store.get(name, id) === undefined || !(await seams.store.remove(name, id))) {
    if (seams.dialect.secondDelete === 'refuse') throw noRecord(name, id);
  }
}

/** Types whose bodies are read as JSON without a look at the body. */
const PLAIN_TYPES = /^\s*(?:[^/;]+\/(?:[^;]*\+)?json|text\/plain)\s*(?:;|$)/i;

/** Members of the body. Of a type beside JSON and XML, one that begins like an object is taken, any other refused with 415. */
export async function readBody(seams: Seams, call: Call, name: string): Promise<Fields> {
  const { request, route } = call;
  if (route === undefined) throw new Error('a body is read on a route only');
  const encoding = headerOf(request, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedHeader('content-encoding', encoding);
  const type = headerOf(request, 'content-type');
  const text = await request.body();
  const format = seams.codec.formatOf(type);
  if (format === 'json' && type !== undefined && !PLAIN_TYPES.test(type) && !text.trimStart().startsWith('{'))
    throw unsupportedHeader('content-type', type);
  return seams.codec.decode(name, route.op, text, format);
}
