import pLimit from 'p-limit';
import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import { readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { requesterOf } from '../../lib/client/http/read-entries.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import { totalOf } from '../../lib/wire/answer.ts';
import { eachPage, type ListItem } from '../../lib/wire/list-walk.ts';

const PAGE_SIZE = 100;
const ADDRESS = /^[0-9a-f]{2}([:.-]?[0-9a-f]{2}){5}$/i;

export interface Listed {
  readonly mac: string;
  readonly id: string;
  /** Absent if the list shows the address and not the policy. */
  readonly policy?: string;
}

const EXAMPLES = 10;

export const kind = () => ({ count: 0, examples: [] as string[] });
export type Kind = ReturnType<typeof kind>;

export function note(found: Kind, example: string): void {
  found.count += 1;
  if (found.examples.length < EXAMPLES) found.examples.push(example);
}

/** What an entry shows of itself; null if it shows no address. A name is one only where it looks like one. */
function shownBy({ id, record }: ListItem): Listed | null {
  const { macAddress, name, policyName } = record;
  const address = [macAddress, name].find((text) => typeof text === 'string' && ADDRESS.test(text));
  if (typeof address !== 'string') return null;
  const mac = normalAddress(address);
  return typeof policyName === 'string' ? { mac, id, policy: policyName } : { mac, id };
}

/** Walks the whole list and hands on each page; reads records if entries show no address. Stops if it takes more than `limit` requests. */
export async function listHoldings(client: ErsClient, limit: number, onPage: (listed: readonly Listed[]) => void) {
  const sum = {
    ...{ entries: 0, pages: 0, requests: 0 },
    /** Entries whose record was not found: it is gone meanwhile, or the target does not tell. */
    unread: 0,
    cut: undefined as string | undefined,
  };
  const slots = pLimit(client.options.target.connections);
  const read = (id: string) =>
    slots(async (): Promise<Listed | null> => {
      const record = await readAnc(client, id);
      return record === null ? null : { mac: record.mac, id, policy: record.policy };
    });
  const requester = requesterOf(client, ancFamilyOf(client));
  const bounds = { pages: Infinity, characters: Infinity, anySize: true } as const;
  let pageSize: number | undefined;
  const end = await eachPage(requester, { list: { size: PAGE_SIZE } }, bounds, async ({ items, next, exchange }) => {
    const entries = items.map((item) => ({ id: item.id, shown: shownBy(item) }));
    const total = totalOf(exchange);
    sum.pages += 1;
    sum.requests += 1;
    pageSize ??= Math.max(1, entries.length);
    const nameless = entries.filter(({ shown }) => shown === null).length;
    const reads = entries.length === 0 ? 0 : ((total ?? 0) * nameless) / entries.length;
    const asTold = Math.ceil((total ?? 0) / pageSize) + Math.ceil(reads);
    // A page may hold more than its total says.
    const needed = Math.max(asTold, sum.requests + nameless);
    if (total === undefined) sum.cut = 'the list shows no total';
    else if (needed > limit) sum.cut = `the list takes ${needed} requests, more than --reconcile-limit ${limit}`;
    if (sum.cut !== undefined || total === undefined) return false;
    const listed = await Promise.all(entries.map(({ id, shown }) => shown ?? read(id)));
    sum.entries += entries.length;
    sum.requests += nameless;
    const told = listed.filter((one) => one !== null);
    sum.unread += listed.length - told.length;
    onPage(told);
    if (next === undefined && sum.entries < total && exchange.cut === true) sum.cut = 'the last page was cut';
    return true;
  });
  if (end.refused !== undefined) throw new UnreadableState(`the list answered ${end.refused.status}`);
  if (end.cut === 'loop') sum.cut = 'the list links to a page that it showed already';
  return sum;
}
