import { AsyncLocalStorage } from 'node:async_hooks';
import type { Op } from '../../../lib/contract/types.ts';
import { type Call, headerOf } from '../../http/wire.ts';

/** Something a request carries that another part of it may be mixed up with. */
export type Feature =
  | 'xml'
  | 'media-type'
  | 'csrf'
  | 'extra'
  | 'filter'
  | 'two-filters'
  | 'sort'
  | 'later-page'
  | 'size';

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

const LISTED = new Set(['page', 'size', 'sortasc', 'sortdsc', 'filter', 'filtertype']);

/** Read leniently: a query that is no query is the deployment's to refuse, not the defect's. */
function listFeatures(query: string): Feature[] {
  const pairs = [...new URLSearchParams(query)];
  const count = (name: string) => pairs.filter(([key]) => key === name).length;
  const page = pairs.findLast(([key]) => key === 'page')?.[1];
  return [
    ...(pairs.some(([key]) => !LISTED.has(key.toLowerCase())) ? ['extra' as const] : []),
    ...(count('filter') > 0 ? ['filter' as const] : []),
    ...(count('filter') > 1 ? ['two-filters' as const] : []),
    ...(count('sortasc') + count('sortdsc') > 0 ? ['sort' as const] : []),
    ...(count('size') > 0 ? ['size' as const] : []),
    ...(page !== undefined && Number(page) > 1 ? ['later-page' as const] : []),
  ];
}

/** What a routed call is, as triggers look at it. */
export function momentOf({ request, route }: Call): Moment | undefined {
  if (route === undefined) return undefined;
  const isXml = (header: string) => /xml/i.test(headerOf(request, header) ?? '');
  const [sent, asked] = [isXml('content-type'), isXml('accept')];
  const features: Feature[] = [
    ...(sent || asked ? ['xml' as const] : []),
    ...(headerOf(request, 'ers-media-type') === undefined ? [] : ['media-type' as const]),
    ...(headerOf(request, 'x-csrf-token') === undefined ? [] : ['csrf' as const]),
    ...listFeatures(request.query),
  ];
  return {
    family: route.family,
    op: route.op,
    features: new Set(features),
    sent: sent ? 'xml' : 'json',
    asked: asked ? 'xml' : 'json',
    query: request.query,
    connection: request.connection,
    decided: new Map(),
  };
}

/** The request that is being served, wherever in the deployment one asks. */
export const moments = new AsyncLocalStorage<Moment>();
