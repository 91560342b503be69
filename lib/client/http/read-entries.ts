import { TargetError } from '../../errors.ts';
import { totalOf } from '../../wire/answer.ts';
import { eachPage, isToldWhole, type WalkEnd } from '../../wire/list-walk.ts';
import type { ListQuery } from '../../wire/query.ts';
import type { RequestInput } from '../../wire/request.ts';
import { entryOf, type ListEntry } from '../safety/record-identity.ts';
import type { ErsClient, Exchange } from '../types.ts';

/** Entries and characters of bodies that one walk takes in; a list beyond them counts as one without an end. */
const MOST_ENTRIES = 250_000;
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Pages in a row that show no new id, after which a list counts as one without an end. */
const MOST_STALE = 3;
const MOST_MS = 10 * 60_000;

/** A link that is not followed ends the walk before its end, as any other list without an end. */
function withoutLink(fault: unknown): WalkEnd<Exchange> {
  if (fault instanceof TargetError && fault.code === 'foreign-link') return { cut: 'length' };
  throw fault;
}

export const requesterOf = (client: Pick<ErsClient, 'send' | 'follow'>, family: string) => ({
  list: (input: { readonly list?: ListQuery }) => client.send(family, 'list', input),
  follow: (href: string, headers?: RequestInput['headers']) => client.follow(family, href, headers),
});

/** Reads the entries of a list, at most `maxPages` pages, and keeps no page longer than it takes to read it. */
export async function readEntries(
  client: Pick<ErsClient, 'send' | 'follow'>,
  family: string,
  list: ListQuery,
  maxPages: number,
  now: () => number = () => performance.now(),
) {
  const entries: ListEntry[] = [];
  let total = 0;
  let status = 0;
  let isCut = false;
  const bounds = { pages: maxPages, characters: MOST_CHARACTERS, anySize: true } as const;
  const begun = now();
  const ids = new Set<string>();
  let stale = 0;
  const end = await eachPage(requesterOf(client, family), { list }, bounds, (page) => {
    const { items, exchange } = page;
    if (status === 0) total = totalOf(exchange) ?? 0;
    const known = ids.size;
    for (const item of items) {
      entries.push(entryOf(item));
      ids.add(item.id);
    }
    stale = ids.size > known ? 0 : stale + 1;
    status = exchange.status;
    // More than was asked for, and more than there is: such a list says nothing of what it leaves out.
    const isContradicted = items.length > Math.max(list.size ?? items.length, totalOf(exchange) ?? items.length);
    isCut ||= exchange.cut === true || isContradicted || !isToldWhole(page);
    return stale < MOST_STALE && entries.length <= MOST_ENTRIES && now() - begun <= MOST_MS;
  }).catch(withoutLink);
  const hidesAll = entries.length === 0 && total > 0;
  const complete = end.refused === undefined && end.cut === undefined && !isCut && !hidesAll;
  return {
    entries: entries as readonly ListEntry[],
    /** True if the last page was reached, each item has an id, and no page contradicts the total of the list. */
    complete,
    /** What the first page says that there are; 0 if it does not say. */
    total,
    status: end.refused?.status ?? status,
  };
}
export type ListedEntries = Awaited<ReturnType<typeof readEntries>>;
