import { AsyncLocalStorage } from 'node:async_hooks';
import type { Op } from '../../../lib/contract/types.ts';
import { type Call, headerOf } from '../../http/wire.ts';
import { isListParameter } from '../../query/parameters.ts';

/** A request, as its features are told from it. */
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

/** The request that is being served. */
export interface Moment {
  readonly family: string;
  readonly op: Op;
  readonly features: ReadonlySet<Feature>;
  /** Form of the body. */
  readonly sent: 'json' | 'xml';
  /** Form of the answer that is asked for. */
  readonly asked: 'json' | 'xml';
  readonly query: string;
  readonly connection: object | undefined;
  /** Decisions taken once for the whole request, by what they are about. */
  readonly decided: Map<string, boolean>;
}

/** What a routed call is, as triggers look at it. */
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
export const moments = new AsyncLocalStorage<Moment>();
