import { AsyncLocalStorage } from 'node:async_hooks';
import { OPS } from '../../../lib/contract/operations.ts';
import type { Op } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { type Call, headerOf } from '../../http/wire.ts';
import { isListParameter } from '../../query/plan.ts';
import type { Kit, Wraps } from '../../seams.ts';
import type { StoredRecord } from '../../store/store.ts';

interface Asking {
  readonly isXml: boolean;
  readonly has: (header: string) => boolean;
  readonly pairs: readonly (readonly [key: string, value: string])[];
  readonly count: (key: string) => number;
}

/** What a request can carry that another part of it may be mixed up with. */
const FEATURES = {
  xml: ({ isXml }) => isXml,
  'media-type': ({ has }) => has('ers-media-type'),
  csrf: ({ has }) => has('x-csrf-token'),
  extra: ({ pairs }) => pairs.some(([key]) => !isListParameter(key)),
  filter: ({ count }) => count('filter') > 0,
  'two-filters': ({ count }) => count('filter') > 1,
  sort: ({ count }) => count('sortasc') + count('sortdsc') > 0,
  'later-page': ({ pairs }) => Number(pairs.findLast(([key]) => key === 'page')?.[1]) > 1,
  size: ({ count }) => count('size') > 0,
} satisfies Readonly<Record<string, (asking: Asking) => boolean>>;
export type Feature = keyof typeof FEATURES;

export interface Moment {
  readonly family: string;
  readonly op: Op;
  readonly features: ReadonlySet<Feature>;
  readonly sent: 'json' | 'xml';
  /** Form of the answer that is asked for. */
  readonly asked: 'json' | 'xml';
  readonly query: string;
  readonly connection: object | undefined;
  /** Decisions taken once for the whole request, by what they are about. */
  readonly decided: Map<string, boolean>;
}

export function momentOf({ request, route }: Call): Moment | undefined {
  if (route === undefined) return undefined;
  const isXml = (header: string) => /xml/i.test(headerOf(request, header) ?? '');
  const [sent, asked] = [isXml('content-type'), isXml('accept')];
  // Read leniently: a query that is no query is the deployment's to refuse, not the defect's.
  const pairs = [...new URLSearchParams(request.query)];
  const asking: Asking = {
    isXml: sent || asked,
    has: (header) => headerOf(request, header) !== undefined,
    pairs,
    count: (key) => pairs.filter(([given]) => given === key).length,
  };
  const names = Object.keys(FEATURES) as Feature[];
  return {
    family: route.family,
    op: route.op,
    features: new Set(names.filter((name) => FEATURES[name](asking))),
    sent: sent ? 'xml' : 'json',
    asked: asked ? 'xml' : 'json',
    query: request.query,
    connection: request.connection,
    decided: new Map(),
  };
}

/** The request that is being served, wherever in the deployment one asks. */
const moments = new AsyncLocalStorage<Moment>();

interface LastWrite {
  readonly kind: 'create' | 'update' | 'rename' | 'delete' | 'failed';
  readonly connection: object | undefined;
}

/** How far a defect got in a deployment's life: why it was not found, where it was not. */
export interface Exposure {
  reached: number;
  triggered: number;
  changed: number;
}

export interface Occasion {
  /** What "the second time" counts by. */
  readonly key: string;
  readonly value?: unknown;
}

export type Hit = (occasion: Occasion) => boolean;

const REMEMBERED = 64;

function addTo<T>(map: Map<string, T[]>, key: string, item: T): void {
  const items = map.get(key) ?? [];
  items.unshift(item);
  if (items.length > REMEMBERED) items.pop();
  map.set(key, items);
}

export function watchOver(kit: Kit) {
  const last = new Map<string, LastWrite>();
  const requests = new Map<string, number>();
  const open = new Map<string, number>();
  const previous = new Map<string, StoredRecord>();
  const removed = new Map<string, StoredRecord[]>();
  const created = new Map<string, string[]>();
  let version = 0;
  const wrote = (family: string, kind: LastWrite['kind']) =>
    last.set(family, { kind, connection: moments.getStore()?.connection });
  const bump = (map: Map<string, number>, key: string, by: number) => map.set(key, (map.get(key) ?? 0) + by);

  const exposure: Exposure = { reached: 0, triggered: 0, changed: 0 };
  const changes = <T>(value: T): T => {
    exposure.changed += 1;
    return value;
  };
  const watch = {
    exposure,
    /** Counts that a place was reached, and whether its condition held there. */
    meets: (isMet: boolean): boolean => {
      exposure.reached += 1;
      if (isMet) exposure.triggered += 1;
      return isMet;
    },
    changes,
    /** The wrong one, counted if it is another than the right one. */
    instead: <T>(right: T, wrong: T): T => (wrong === right ? right : changes(wrong)),
    now: (): Moment | undefined => moments.getStore(),
    last: (family: string) => last.get(family),
    requests: (family: string): number => requests.get(family) ?? 0,
    size: (family: string): number => kit.seams.store.list(family).length,
    /** The record as it was before its last update; undefined if it had none. */
    previous: (id: string) => previous.get(id),
    /** Removed records, the last one first. */
    removed: (family: string): readonly StoredRecord[] =>
      kit.seams.store.sources(family).flatMap((source) => removed.get(source) ?? []),
    /** Ids in order of creation by requests, the last one first. */
    created: (family: string): readonly string[] => created.get(family) ?? [],
    /** Writes of the family that are being served. */
    open: (family: string): number => open.get(family) ?? 0,
  };
  const wraps: Wraps = {
    front: ({ handle }) => ({
      handle: async (call) => {
        const moment = momentOf(call);
        if (moment === undefined) return handle(call);
        const { family, op } = moment;
        const isWrite = OPS[op].mutates;
        bump(requests, family, 1);
        if (isWrite) bump(open, family, 1);
        try {
          const answer = await moments.run(moment, async () => handle(call));
          if (isWrite && answer.status >= 400) last.set(family, { kind: 'failed', connection: moment.connection });
          return answer;
        } finally {
          if (isWrite) bump(open, family, -1);
        }
      },
    }),
    store: (inner) => ({
      // Nothing is remembered of an answer that depends on more than the records.
      version: () => ++version,
      create: async (name, fields) => {
        const record = await inner.create(name, fields);
        addTo(created, name, record.id);
        wrote(name, 'create');
        return record;
      },
      update: async (name, id, fields) => {
        const old = inner.get(name, id);
        const changes = await inner.update(name, id, fields);
        if (old !== undefined && changes.length > 0) previous.set(id, old);
        wrote(name, changes.some(({ field }) => /name$/i.test(field)) ? 'rename' : 'update');
        return changes;
      },
      remove: async (name, id) => {
        const old = inner.get(name, id);
        const isGone = await inner.remove(name, id);
        if (old !== undefined && isGone) addTo(removed, name, old);
        wrote(name, 'delete');
        return isGone;
      },
    }),
  };
  return { watch, wraps };
}

/** What a defect knows of the deployment's past. */
export type Watch = ReturnType<typeof watchOver>['watch'];

/** Wraps of a watch and of a mistake: the mistake goes around, but at the front, where the watch has to know the request first. */
export const aroundWatch = (watching: Wraps, mistaken: readonly Wraps[]): readonly Wraps[] => [
  ...mistaken.map(({ front }) => defined({ front })),
  watching,
  ...mistaken.map(({ front: _, ...others }) => others),
];

/** One decision for a whole request, about one thing. */
export function decided({ decided: known }: Moment, about: string, decide: () => boolean): boolean {
  const isHit = known.get(about) ?? decide();
  known.set(about, isHit);
  return isHit;
}

export function onceFor(place: { readonly family: string }, watch: Watch, hit: Hit): () => boolean {
  return () => {
    const moment = watch.now();
    return moment?.family === place.family && decided(moment, 'list', () => hit({ key: moment.query }));
  };
}
