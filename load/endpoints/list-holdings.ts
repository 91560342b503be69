import pLimit from 'p-limit';
import { ancFamilyOf, readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { requesterOf } from '../../lib/client/http/read-entries.ts';
import { entryOf, type ListEntry } from '../../lib/client/safety/list-entries.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import { totalOf } from '../../lib/wire/answer.ts';
import { eachPage } from '../../lib/wire/list-walk.ts';

const PAGE_SIZE = 100;

/** An endpoint that the list shows. */
export interface Listed {
  readonly mac: string;
  readonly id: string;
  /** Absent where the list shows the address and the record was not read. */
  readonly policy?: string;
}

/** What a walk cost, and how far it came. */
export interface HoldingsWalk {
  readonly entries: number;
  readonly pages: number;
  readonly requests: number;
  /** Why the list was not walked to its end; undefined where it was. */
  readonly cut?: string;
}

/** Reads the entries of a page that do not show their address; an entry that is gone meanwhile is left out. */
async function shownBy(client: ErsClient, entries: readonly ListEntry[]): Promise<readonly Listed[]> {
  const slots = pLimit(client.options.target.connections);
  const read = await Promise.all(
    entries.map((entry) =>
      slots(async (): Promise<Listed | null> => {
        if (entry.name !== undefined) return { mac: normalAddress(entry.name), id: entry.id };
        const record = await readAnc(client, entry.id);
        return record === null ? null : { mac: record.mac, id: entry.id, policy: record.policy };
      }),
    ),
  );
  return read.filter((listed) => listed !== null);
}

/**
 * Walks the whole list of endpoints that hold a policy, page by page, and hands each page on: nothing of it is kept. Where entries do not
 * show their address, their records are read. Takes at most `limit` requests, and asks for none where the total already says that
 * they would not do. Throws `UnreadableState` where the list cannot be read.
 */
export async function listHoldings(
  client: ErsClient,
  limit: number,
  onPage: (listed: readonly Listed[]) => void,
): Promise<HoldingsWalk> {
  const sum: { -readonly [K in keyof HoldingsWalk]: HoldingsWalk[K] } = { entries: 0, pages: 0, requests: 0 };
  const requester = requesterOf(client, ancFamilyOf(client));
  const bounds = { pages: Infinity, characters: Infinity, anySize: true } as const;
  const end = await eachPage(requester, { list: { size: PAGE_SIZE } }, bounds, async ({ items, next, exchange }) => {
    const entries = items.map(entryOf);
    const total = totalOf(exchange);
    sum.pages += 1;
    sum.requests += 1;
    const nameless = entries.filter(({ name }) => name === undefined).length;
    const perPage = 1 + (entries.length === 0 ? 0 : (nameless / entries.length) * PAGE_SIZE);
    const needed = Math.ceil(((total ?? 0) / PAGE_SIZE) * perPage);
    if (total === undefined) sum.cut = 'the list shows no total';
    else if (needed > limit || sum.requests > limit)
      sum.cut = `${total} entries take ${needed} requests, more than --reconcile-limit ${limit}`;
    if (sum.cut !== undefined || total === undefined) return false;
    const listed = await shownBy(client, entries);
    sum.entries += entries.length;
    sum.requests += nameless;
    onPage(listed);
    if (next === undefined && sum.entries < total && exchange.cut === true) sum.cut = 'the last page was cut';
    return true;
  });
  if (end.refused !== undefined) throw new UnreadableState(`the list answered ${end.refused.status}`);
  if (end.cut === 'loop') sum.cut = 'the list links to a page that it showed already';
  return sum;
}
