import { answerText } from '../../conformance/kit/answer.ts';
import type { ErsClient, Exchange } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { familyNames } from '../../lib/contract/families.ts';
import type { Op } from '../../lib/contract/types.ts';
import { withoutIds } from '../../lib/text.ts';
import { isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';

/** Seconds by which the two clocks may differ before figures of both logs no longer fit together. */
const CLOCK_TOLERANCE_SECONDS = 5;

const familyWith = ({ options: { table } }: ErsClient, op: Op): string | undefined =>
  familyNames(table).find((name) => table[name]?.ops.includes(op));

function listOfFirst(client: ErsClient, headers: Record<string, string> = {}): Promise<Exchange> {
  const name = familyWith(client, 'list');
  if (name === undefined) throw new Error('no family of the table has a list');
  return client.send(name, 'list', { list: { size: 1 }, headers });
}

export async function clockOffset(client: ErsClient, clock: Clock): Promise<string> {
  const exchange = await listOfFirst(client);
  const date = exchange.headers['date'];
  if (date === undefined) return 'the target sends no Date header';
  const seconds = Math.round((Date.parse(date) - clock.now().getTime()) / 1000);
  if (Math.abs(seconds) <= 1) return "the target's clock agrees with ours, to the second";
  const apart = Math.abs(seconds) > CLOCK_TOLERANCE_SECONDS ? ': its log and this run will not fit together' : '';
  return `the target's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} ours${apart}`;
}

export async function csrfAnswer(client: ErsClient): Promise<string> {
  const exchange = await listOfFirst(client, { csrfToken: 'fetch' });
  return exchange.headers['x-csrf-token'] === undefined
    ? 'no token offered: writes need none'
    : 'a token is offered; it is fetched when a write needs it';
}

/** Names and roles of the deployment's nodes: writes go to the primary administration node only. */
export async function rolesOf(client: ErsClient): Promise<string> {
  const name = familyWith(client, 'readByName');
  if (name === undefined) return 'no family shows nodes';
  const list = await client.send(name, 'list', { list: { size: 20 } });
  const entries = pageOf(list)?.items ?? [];
  const nodes = await Promise.all(entries.map(({ id }) => client.send(name, 'read', { id })));
  const described = nodes.map((read) => {
    const node = isSuccess(read) ? recordOf(read) : undefined;
    if (node === undefined) return withoutIds(answerText(read));
    const [primary, secondary] = [node['primaryPapNode'], node['papNode']].map((is) => is === true);
    const role = primary ? 'primary administration' : secondary ? 'secondary administration' : node['nodeServiceTypes'];
    return `${node['name']} (${role || 'role not shown'})`;
  });
  return [...new Set(described)].join(', ') || `the list of nodes answered ${list.status} and shows none`;
}
