import type { Filter, ListQuery } from '../../../../lib/wire/query.ts';

/** Requests that shrinking may cost. */
const BUDGET = 12;

function withoutOne(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  return filters.length < 2 ? [] : filters.map((_, index) => filters.filter((_filter, other) => other !== index));
}

function shortenedLast(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const last = filters.at(-1);
  if (last === undefined || last.value.length < 2) return [];
  const letters = [...last.value];
  const half = Math.ceil(letters.length / 2);
  const values = [letters.slice(0, half), letters.slice(half), letters.slice(0, -1), letters.slice(1)];
  const texts = new Set(values.map((part) => part.join('')).filter((value) => value !== '' && value.trim() === value));
  return [...texts].map((value) => [...filters.slice(0, -1), { ...last, value }]);
}

/** Queries with one thing less: a filter, or a part of the last filter's value. */
export function smallerQueries(query: ListQuery): readonly ListQuery[] {
  const filters = query.filters ?? [];
  return [...withoutOne(filters), ...shortenedLast(filters)].map((fewer) => ({ ...query, filters: fewer }));
}

/** The smallest query found that still shows what `fails` looks for; costs twelve looks at most. */
export async function shrink(query: ListQuery, fails: (smaller: ListQuery) => Promise<boolean>): Promise<ListQuery> {
  let smallest = query;
  let looks = 0;
  for (;;) {
    let found: ListQuery | undefined;
    for (const smaller of smallerQueries(smallest)) {
      if (looks >= BUDGET) return smallest;
      looks += 1;
      if (await fails(smaller)) {
        found = smaller;
        break;
      }
    }
    if (found === undefined) return smallest;
    smallest = found;
  }
}

/** A query as it reads in a report. */
export function queryText({ filters = [], join, sortAsc, sortDsc, size }: ListQuery): string {
  const parts = filters.map(({ field, operator, value }) => `filter=${field}.${operator}.${value}`);
  if (join !== undefined) parts.push(`filterType=${join}`);
  if (sortAsc !== undefined) parts.push(`sortasc=${sortAsc}`);
  if (sortDsc !== undefined) parts.push(`sortdsc=${sortDsc}`);
  if (size !== undefined) parts.push(`size=${size}`);
  return parts.length === 0 ? 'the whole list' : parts.join('&');
}
