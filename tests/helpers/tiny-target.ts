import type { FamilyTable } from '../../lib/contract/types.ts';
import { json, stubTarget } from './stub-target.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}
export interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

function safely(standard: (asked: Asked) => Answered, asked: Asked): Answered {
  try {
    return standard(asked);
  } catch (fault) {
    return { status: 400, body: { ERSResponse: { messages: [{ title: String(fault) }] } } };
  }
}

/** Takes over single requests, with what the target would answer at hand. */
export type TinyLie = (asked: Asked, standard: (asked: Asked) => Answered) => Answered | undefined;

/** Starts it; `answer` may take over single requests. */
export async function startTinyTarget(table: FamilyTable, answer: TinyLie = () => undefined) {
  const stores = new Map<string, Map<string, Record<string, unknown>>>();
  const requests: Asked[] = [];
  let made = 0;
  const storeOf = (name: string) => {
    const store = stores.get(name) ?? new Map<string, Record<string, unknown>>();
    stores.set(name, store);
    return store;
  };
  const standard = ({ method, path, body }: Asked): Answered => {
    const [, , , name = '', id] = path.split('?')[0]?.split('/') ?? [];
    const family = table[name];
    if (family === undefined) return { status: 404 };
    const store = storeOf(name);
    const root = family.roots.resource ?? 'Record';
    if (id === 'versioninfo') return { status: 200, body: { VersionInfo: { currentServerVersion: '1.0' } } };
    if (id === undefined && method === 'GET') {
      const resources = [...store.values()].map(({ id: key, name: text }) => ({ id: key, name: text }));
      return { status: 200, body: { SearchResult: { total: resources.length, resources } } };
    }
    if (id === undefined && method === 'POST') {
      made += 1;
      const record = { ...JSON.parse(body)[root], id: `id-${made}` };
      store.set(record.id, record);
      return { status: 201, headers: { Location: `/ers/config/${name}/${record.id}` } };
    }
    const held = store.get(id ?? '');
    if (held === undefined) return { status: 404, body: { ERSResponse: { messages: [{ title: 'not found' }] } } };
    if (method === 'GET') return { status: 200, body: { [root]: held } };
    if (method === 'DELETE') {
      store.delete(id ?? '');
      return { status: 204 };
    }
    store.set(id ?? '', { ...held, ...JSON.parse(body)[root] });
    return { status: 200, body: { UpdatedFieldsList: { updatedField: [] } } };
  };
  const target = await stubTarget(({ method, url: path, body: sent }, response) => {
    const asked = { method, path, body: sent };
    requests.push(asked);
    const { status, body, headers } = answer(asked, standard) ?? safely(standard, asked);
    if (typeof body !== 'string') return json(response, status, body, headers);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });
  return {
    baseUrl: target.baseUrl,
    requests,
    records: (family: string) => [...storeOf(family).values()],
    close: target.close,
  };
}
/** The least a deployment can be: records in memory, one page, no filters. For tests of the runner itself. */
export type TinyTarget = Awaited<ReturnType<typeof startTinyTarget>>;
