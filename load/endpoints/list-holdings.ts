import pLimit from 'p-limit';
import { ancFamilyOf, readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { listPage } from '../../lib/client/http/walk-list.ts';
import type { ListEntry } from '../../lib/client/safety/list-entries.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import type { ErsClient } from '../../lib/client/types.ts';

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
  const family = ancFamilyOf(client);
  const seen = new Set<string>();
  let exchange = await client.send(family, 'list', { list: { size: PAGE_SIZE } });
  const sum = { entries: 0, pages: 0, requests: 0 };
  for (;;) {
    const page = listPage(exchange);
    if (page === null) throw new UnreadableState(`the list answered ${exchange.status}`);
    sum.pages += 1;
    sum.requests += 1;
    if (page.total === null) return { ...sum, cut: 'the list shows no total' };
    const nameless = page.entries.filter(({ name }) => name === undefined).length;
    const perPage = 1 + (page.entries.length === 0 ? 0 : (nameless / page.entries.length) * PAGE_SIZE);
    const needed = Math.ceil((page.total / PAGE_SIZE) * perPage);
    if (needed > limit || sum.requests > limit) {
      return { ...sum, cut: `${page.total} entries take ${needed} requests, more than --reconcile-limit ${limit}` };
    }
    const listed = await shownBy(client, page.entries);
    sum.entries += page.entries.length;
    sum.requests += nameless;
    onPage(listed);
    if (page.href === null) {
      const short = sum.entries < page.total && exchange.cut === true;
      return short ? { ...sum, cut: 'the last page was cut' } : sum;
    }
    if (seen.has(page.href)) return { ...sum, cut: 'the list links to a page that it showed already' };
    seen.add(page.href);
    exchange = await client.follow(family, page.href);
  }
}
