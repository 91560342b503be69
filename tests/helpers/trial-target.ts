import type { CheckContext } from '../../conformance/kit/check.ts';
import type { Exchange, SendInput } from '../../lib/client/types.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { Op } from '../../lib/contract/types.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A record: as it was made, as it is now, and how many updates it went through. */
export interface Made {
  readonly first: Fields;
  readonly now: Fields;
  readonly updates: number;
}

const NONE: Made = { first: {}, now: {}, updates: 0 };

/** What a target does to the records that are made on it to try something. */
export interface Rules {
  /** Requests that are answered 500. */
  readonly refuses?: (asked: Made & { readonly op: Op; readonly fields: Fields }) => boolean;
  /** What a write stores in place of what it sends; `updates`: which one it is, 0 for the create. */
  readonly stores?: (sent: Fields, held: Fields, updates: number) => Fields;
  /** Records that a delete leaves, as new ones, once. */
  readonly keeps?: (made: Made) => boolean;
  /** Records that lists lack; `turn`: creates so far. */
  readonly hides?: (made: Made, turn: number) => boolean;
}

/** A simulated target; `usual` are the members of a payload beside its name. */
export function trialTarget(
  family: 'hotspotportal' | 'sgt',
  { refuses = () => false, stores = (sent) => sent, keeps = () => false, hides = () => false }: Rules,
  usual: (serial: number) => Fields = () => ({ description: 'made by' }),
) {
  const records = new Map<string, Made>();
  const root = `/ers/config/${family}`;
  let [turn, serial] = [0, 0];
  const answer = (request: object, status: number, json?: object, location = '') =>
    ({
      id: 'x',
      request,
      status,
      headers: { location },
      json,
      body: JSON.stringify(json) ?? '',
    }) as unknown as Exchange;
  const send = async (op: Op, { id: asked = '', fields: given = {} }: SendInput = {}): Promise<Exchange> => {
    const fields = given as Fields;
    const id = op === 'create' ? `r${turn + 1}` : asked;
    const made = records.get(id);
    const path = op === 'create' ? root : `${root}/${id}`;
    const request = { op, family, path, method: 'POST', headers: {}, body: JSON.stringify({ P: fields }) };
    if (refuses({ ...(made ?? NONE), op, fields })) return answer(request, 500);
    if (op === 'create') {
      turn += 1;
      const now = stores(fields, {}, 0);
      records.set(id, { first: now, now, updates: 0 });
      return answer(request, 201, undefined, path.concat('/', id));
    }
    if (op === 'list') return answer(request, 200, { SearchResult: { total: 0, resources: [] } });
    if (made === undefined) return answer(request, 404);
    const updates = made.updates + 1;
    if (op === 'update')
      records.set(id, { ...made, now: stores({ ...made.now, ...fields }, made.now, updates), updates });
    if (op === 'delete' && keeps(made)) records.set(id, { first: made.now, now: made.now, updates: 0 });
    else if (op === 'delete') records.delete(id);
    return answer(request, 200, op === 'read' ? { P: { ...made.now, id } } : undefined);
  };
  /** A list, of one name if the path ends in it. */
  const raw = async ({ path }: { readonly path: string }) => {
    const isMeant = ({ now }: Made) => !path.includes('name.EQ.cfm') || path.endsWith(`.${now['name']}`);
    const shown = [...records].filter(([, made]) => isMeant(made) && !hides(made, turn));
    return answer({ op: 'list' }, 200, {
      SearchResult: { total: shown.length, resources: shown.map(([id]) => ({ id })) },
    });
  };
  const payload = (over: Fields = {}) => {
    serial += 1;
    const whole = { name: `cfmname${String(serial).padStart(4, '0')}`, ...usual(serial), ...over };
    return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  };
  const run = { mayCreate: () => true, dialect: () => 0, shared: (_: string, make: () => unknown) => make() };
  const context = { send, raw, payload, run, table: FAMILIES, family: FAMILIES[family] } as unknown as CheckContext;
  return { context, send, records };
}
