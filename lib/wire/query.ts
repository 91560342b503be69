import { FILTER_TYPE_OR, type Operator } from '../contract/list.ts';

export interface Filter<Field extends string = string> {
  readonly field: Field;
  readonly operator: Operator;
  readonly value: string;
}

/** Query of a list, with the fields a family lists: section "List query parameters". */
export interface ListQuery<FilterField extends string = string, SortField extends string = string> {
  readonly page?: number;
  readonly size?: number;
  readonly sortAsc?: SortField;
  readonly sortDsc?: SortField;
  readonly filters?: readonly Filter<FilterField>[];
  /** How the filters are joined; absent: the parameter is not sent, and the specification's AND holds. */
  readonly join?: 'and' | 'or';
}

/** How a target spells the parameter that joins filters, where it does not take the specification's spelling. */
export interface FilterTypeSpelling {
  readonly name: string;
  readonly or: string;
}

export type QueryPair = readonly [name: string, value: string];

const SPEC_SPELLING: FilterTypeSpelling = { name: 'filterType', or: FILTER_TYPE_OR };

/** How the parameter that joins by OR may be spelled, the specification's way first. */
export const OR_SPELLINGS: readonly FilterTypeSpelling[] = ['filterType', 'filtertype'].flatMap((name) =>
  [FILTER_TYPE_OR, 'OR'].map((or) => ({ name, or })),
);

/** The list query as name and value pairs, in a fixed order, not yet encoded. */
export function listQueryPairs(query: ListQuery, spelling: FilterTypeSpelling = SPEC_SPELLING): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const { field, operator, value } of query.filters ?? []) pairs.push(['filter', `${field}.${operator}.${value}`]);
  if (query.join === 'or') pairs.push([spelling.name, spelling.or]);
  if (query.join === 'and') pairs.push([spelling.name, 'AND']);
  if (query.sortAsc !== undefined) pairs.push(['sortasc', query.sortAsc]);
  if (query.sortDsc !== undefined) pairs.push(['sortdsc', query.sortDsc]);
  if (query.size !== undefined) pairs.push(['size', String(query.size)]);
  if (query.page !== undefined) pairs.push(['page', String(query.page)]);
  return pairs;
}

/** Text as a part of a path or query. A surrogate without its other half has no UTF-8: U+FFFD stands for it. */
export function uriPart(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
  }
}

export function encodeQuery(pairs: readonly QueryPair[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${uriPart(name)}=${uriPart(value)}`).join('&')}`;
}
