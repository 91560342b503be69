import { createHash } from 'node:crypto';
import type { ErsClient } from '../../lib/client/types.ts';
import { type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { idOf } from '../../lib/wire/answer.ts';
import { listEntries } from '../kit/finder.ts';

/** Count and digest of the records of each family that this run did not make, as one line. */
export async function fingerprint(client: ErsClient, table: FamilyTable, families: readonly string[]): Promise<string> {
  const calm = client.view({ signal: 'ignored' });
  const sender = {
    table,
    send: (op: 'list', input: object, on: string) => calm.send(on, op, input),
    follow: (href: string, on: string) => calm.follow(on, href),
  };
  const parts: string[] = [];
  for (const name of families.filter((family) => table[family] !== undefined && hasOp(table[family], 'list'))) {
    // A view lists the records of other families: what this run still has there is not foreign here either.
    const shown = [name, ...(table[name]?.viewOf ?? [])];
    const own = new Set(client.created().flatMap(({ family, id }) => (shown.includes(family) ? [id] : [])));
    const entries = await listEntries(sender as Parameters<typeof listEntries>[0], name);
    const foreign = entries
      .filter((entry) => !own.has(idOf(entry) ?? ''))
      .map((entry) => JSON.stringify([idOf(entry), entry['name'], entry['description']]))
      .sort();
    const digest = createHash('sha256').update(foreign.join('\n')).digest('hex').slice(0, 12);
    parts.push(`${name}=${foreign.length}:${digest}`);
  }
  return parts.join(' ');
}
