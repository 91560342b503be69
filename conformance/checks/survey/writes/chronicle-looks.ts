import type { Exchange } from '../../../../lib/client/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { defined } from '../../../../lib/defined.ts';
import { idOf, isSuccess, type JsonObject, recordOf } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import { holds } from '../../../kit/contains-subset.ts';
import type { About } from '../../../kit/fault.ts';
import { nameMember } from '../../../kit/fields.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { memberDifference } from '../../../kit/record/member-failure.ts';
import { shown } from '../../../kit/record/record-reads.ts';
import { holdsLeaves } from '../../../kit/record/xml-record.ts';
import type { Chronicle, Held } from './chronicle.ts';

/** What the writes so far do not explain, with the record it is about. */
export interface Unexplained {
  readonly expected: string;
  readonly observed: string;
  readonly id: string | undefined;
  /** A value that is not the one written, in a read or in an entry; else a record that is there, or is not. */
  readonly where: 'read' | 'entry' | 'presence';
  readonly about: Pick<About, 'kind' | 'subject'>;
  readonly exchanges: readonly Exchange[];
}

/** Entries of this run's other records, as they were before the first write. */
export type Neighbors = ReadonlyMap<string, JsonObject>;

function differs(held: Held, seen: JsonObject, isWhole: boolean): string | undefined {
  return Object.keys(held.fields).find((member) => {
    const value = held.fields[member];
    if (!isWhole && !(member in seen)) return false;
    const isLoose = held.form === 'xml' && typeof value === 'object';
    return !(isLoose ? holdsLeaves(seen[member], value) : holds(seen[member], value));
  });
}

/** A read of the record: it is there with what was written, or it is gone. */
async function byRead({ world }: Chronicle, held: Held): Promise<Unexplained | undefined> {
  const answer = await world.scope.send('read', { id: held.id });
  const record = isSuccess(answer) ? recordOf(answer) : undefined;
  const isThere = idOf(record) === held.id;
  const found = { id: held.id, exchanges: [answer] };
  if (isThere !== held.isLive)
    return {
      ...{ ...found, where: 'presence', about: { kind: 'no-effect', subject: 'record' } },
      ...{ expected: `${held.id} ${held.isLive ? 'there' : 'gone'}`, observed: `status ${answer.status}` },
    };
  const member = record !== undefined && isThere ? differs(held, record, true) : undefined;
  if (member === undefined) return undefined;
  const expected = `${member} ${shown(held.fields[member])} in a read`;
  return { ...found, ...memberDifference(member, record?.[member], expected), where: 'read' };
}

/** The list of all that this run has in the family, where names select it; else the whole list. */
function readList({ world }: Chronicle) {
  const { context, scope, family, selects } = world;
  const isName = selects !== undefined && memberOf(family.name, selects.field) === nameMember(family);
  const filters = isName && selects !== undefined ? [{ ...selects, value: context.run.prefix }] : undefined;
  return walkList(requesterOf(scope), { list: { size: 50, ...defined({ filters }) } }, { pages: 20 });
}

/** True where an entry that nobody knows is a record of the survey that no write made. */
async function isStray({ world }: Chronicle, id: string, entry: JsonObject): Promise<boolean> {
  const member = nameMember(world.family) ?? 'name';
  const given = entry[member] ?? entry['name'];
  if (given !== undefined) return String(given).startsWith(world.start);
  const record = recordOf(await world.scope.send('read', { id }));
  return String(record?.[member] ?? '').startsWith(world.start);
}

/** Entries of this run's records that the writes are not about. */
export async function neighborsOf(chronicle: Chronicle): Promise<Neighbors> {
  const walk = await readList(chronicle);
  const own = new Set(chronicle.world.context.ledger.created().map(({ id }) => id));
  const others = walk.items.filter(({ id }) => own.has(id) && !chronicle.held.has(id));
  return new Map(others.map(({ id, record }) => [id, record]));
}

/** The list: every live record once and as it was written, no other, and the neighbors as they were. */
async function byList(chronicle: Chronicle, neighbors: Neighbors): Promise<Unexplained | undefined> {
  const walk = await readList(chronicle);
  const exchanges = walk.exchanges.slice(0, 3);
  const told = (about: Unexplained['about'], expected: string, observed: string, id?: string) => ({
    ...{ about, expected, observed, id, exchanges },
    where: 'presence' as const,
  });
  if (walk.refused !== undefined)
    return told({ kind: 'refused', subject: 'list' }, 'the list', `status ${walk.refused.status}`);
  const records = { kind: 'records', subject: 'list' } as const;
  const { held } = chronicle;
  for (const one of held.values()) {
    if (one.likeness !== undefined) continue;
    const times = walk.ids.filter((id) => id === one.id).length;
    if (times !== (one.isLive ? 1 : 0))
      return told(records, `${one.id} ${one.isLive ? 'once' : 'not'} in the list`, `${times} times`, one.id);
  }
  const owned = () => new Set(chronicle.world.context.ledger.created().map(({ id }) => id));
  for (const [id, before] of neighbors) {
    const now = walk.items.find((item) => item.id === id)?.record;
    const member = ['name', 'description'].find((each) => before[each] !== now?.[each]);
    // Checks of other families may take their own records away meanwhile.
    if ((now === undefined || member !== undefined) && owned().has(id))
      return told(
        { kind: now === undefined ? 'missing' : 'value', subject: 'other records' },
        `neighbor ${id} as it was: ${shown(before[member ?? 'id'])}`,
        shown(now?.[member ?? 'id']),
      );
  }
  for (const { id, record } of walk.items) {
    const one = held.get(id);
    if (one !== undefined) {
      const member = differs(one, record, false);
      if (member !== undefined) {
        const expected = `${member} ${shown(one.fields[member])} in the entry of ${id}`;
        return { ...memberDifference(member, record[member], expected), id, where: 'entry', exchanges };
      }
    } else if (!neighbors.has(id) && (await isStray(chronicle, id, record)))
      return told(records, 'no record that no write made', shown(record));
  }
  return undefined;
}

/** Looks at what was written and at the list until both agree with the writes, at most for the visibility window. */
export async function lookAround(
  chronicle: Chronicle,
  subjects: readonly Held[],
  neighbors: Neighbors,
): Promise<Unexplained | undefined> {
  let found: Unexplained | undefined;
  await chronicle.world.context.eventually(async () => {
    found = undefined;
    for (const { id } of subjects) {
      const now = chronicle.held.get(id);
      found ??= now === undefined ? undefined : await byRead(chronicle, now);
    }
    found ??= await byList(chronicle, neighbors);
    return found === undefined ? true : undefined;
  });
  return found;
}
