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
  /** Requests that are refused: with 500, or with the status given. */
  readonly refuses?: (
    asked: Made & { readonly op: Op; readonly fields: Fields; readonly type: string },
  ) => boolean | 403;
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
  let [turn, serial, asked] = [0, 0, 0];
  const answer = (request: object, status: number, json?: object, location = '') => {
    asked += 1;
    const body = JSON.stringify(json) ?? '';
    return { id: `${asked}`, request, status, headers: { location }, json, body } as unknown as Exchange;
  };
  const listed = (filters: readonly { field: string; operator: string; value: string }[]) => {
    const isMeant = ({ now }: Made) =>
      filters.every(({ field, operator, value }) =>
        operator === 'EQ' ? `${now[field]}` === value : Number(now[field]) > Number(value),
      );
    const shown = [...records].filter(([, made]) => isMeant(made) && !(filters.length > 0 && hides(made, turn)));
    const resources = shown.map(([id, { now }]) => ({ id, name: now['name'] }));
    return { SearchResult: { total: shown.length, resources } };
  };
  const send = async (
    op: Op,
    { id: named = '', fields: given = {}, list, headers: sent }: SendInput = {},
  ): Promise<Exchange> => {
    const fields = given as Fields;
    const id = op === 'create' ? `r${turn + 1}` : named;
    const made = records.get(id);
    const path = op === 'create' || op === 'list' ? root : `${root}/${id}`;
    const type = sent?.contentType ?? 'application/json';
    const body = JSON.stringify({ P: fields });
    const request = { op, family, path, method: 'POST', headers: { 'Content-Type': type }, body };
    const refused = refuses({ ...(made ?? NONE), op, fields, type });
    if (refused !== false) return answer(request, refused === true ? 500 : refused);
    if (op === 'create') {
      turn += 1;
      const now = stores(fields, {}, 0);
      records.set(id, { first: now, now, updates: 0 });
      return answer(request, 201, undefined, path.concat('/', id));
    }
    if (op === 'list') return answer(request, 200, listed(list?.filters ?? []));
    if (made === undefined) return answer(request, 404);
    const updates = made.updates + 1;
    if (op === 'update')
      records.set(id, { ...made, now: stores({ ...made.now, ...fields }, made.now, updates), updates });
    if (op === 'delete' && keeps(made)) records.set(id, { first: made.now, now: made.now, updates: 0 });
    else if (op === 'delete') records.delete(id);
    return answer(request, 200, op === 'read' ? { P: { ...made.now, id } } : undefined);
  };
  const payload = (over: Fields = {}) => {
    serial += 1;
    const whole = { name: `cfmname${String(serial).padStart(4, '0')}`, ...usual(serial), ...over };
    return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  };
  const values = { takes: () => true, adaptAll: (set: Fields) => set, taken: () => 0, samples: () => ({}) };
  const shared = new Map<string, unknown>();
  const run = {
    ...{ prefix: 'cfm', isAgain: false, taken: new Set(), values, mayCreate: () => true },
    dialect: (question: string) => (question.endsWith('-ms') ? 0 : undefined),
    shared: (key: string, make: (scope: object) => unknown) => {
      if (!shared.has(key)) shared.set(key, make({ send, payload }));
      return shared.get(key);
    },
  };
  const ledger = {
    ...{ standing: () => 'ours', isProven: () => true, closed: () => undefined, leftAlone: () => [], writes: () => [] },
    ...{ adopt: () => true, gone: () => undefined, givesUp: () => undefined, endsBulk: () => undefined },
  };
  const context = {
    ...{ send, payload, run, ledger, evidence: { add: () => undefined }, table: FAMILIES, family: FAMILIES[family] },
    eventually: <T>(look: () => Promise<T>) => look(),
  } as unknown as CheckContext;
  return { context, send, records };
}
