import type { ErsClient } from '../../lib/client/types.ts';
import { type Family, type FamilyTable, type Field, fieldsOf, hasOp, type Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import type { BackgroundFacts } from '../../lib/records/load/load.ts';
import { runPrefix } from '../../lib/run-name.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';

const CYCLE = ['list', 'create', 'read', 'update', 'delete'] as const satisfies readonly Op[];
type Kind = (typeof CYCLE)[number];
const PAGE_SIZE = 100;

/** Values by which the target chooses one itself; undefined if the field has none. */
function ownChoice(field: Field | undefined): number | undefined {
  return typeof field?.type === 'object' && 'or' in field.type ? field.type.or[0] : undefined;
}

function needed(family: Family): readonly string[] {
  const fields = fieldsOf(family);
  const asked = new Set(vendorFacts(family.name).requiredOnCreate ?? []);
  return Object.keys(fields).filter((key) => key !== 'name' && (fields[key]?.required === true || asked.has(key)));
}

/** The first family that needs a name and, at most, members that the target chooses itself. */
const backgroundFamily = (table: FamilyTable): Family | undefined =>
  Object.values(table).find((family) => {
    const fields = fieldsOf(family);
    const isPlain = needed(family).every((key) => ownChoice(fields[key]) !== undefined);
    return isPlain && 'name' in fields && CYCLE.every((op) => hasOp(family, op));
  });

const membersOf = (family: Family, name: string, id?: string): Record<string, unknown> => ({
  name,
  ...Object.fromEntries(needed(family).map((key) => [key, ownChoice(fieldsOf(family)[key])])),
  ...defined({ id }),
});

type Tally = { -readonly [Key in keyof BackgroundFacts]: BackgroundFacts[Key] };

/** Cycles at a rate, open loop, at most `atOnce` under way, as other clients send them. Records are journaled like all others. */
export function startBackground(client: ErsClient, perSecond: number, atOnce: number) {
  const { table, runId } = client.options;
  const used = backgroundFamily(table);
  const empty = (kind: Kind): Tally => ({ kind, serviceUs: [], failed: 0 });
  const tallies = Object.fromEntries(CYCLE.map((kind) => [kind, empty(kind)])) as Record<Kind, Tally>;
  const running = new Set<Promise<void>>();
  let cycles = 0;
  let next: string | null = null;
  const timed = async (kind: Kind, send: () => ReturnType<ErsClient['send']>) => {
    const tally = tallies[kind];
    const fail = (why: string) => {
      tally.failed += 1;
      tally.example ??= why;
    };
    try {
      const answer = await send();
      if (answer.status >= 200 && answer.status < 300) tally.serviceUs.push(Math.round(answer.durationMs * 1000));
      else fail(`status ${answer.status}`);
      return answer;
    } catch (fault) {
      fail(messageOf(fault));
      return undefined;
    }
  };
  const cycle = async (shape: Family, number: number) => {
    const family = shape.name;
    const fields = (suffix: string, id?: string) => membersOf(shape, `${runPrefix(runId)}bg${number}${suffix}`, id);
    const href = next;
    // Page after page by the link of the one before, then from the first again.
    const page = await timed('list', () =>
      href === null ? client.send(family, 'list', { list: { size: PAGE_SIZE } }) : client.follow(family, href),
    );
    next = page === undefined ? null : (pageOf(page)?.next ?? null);
    const made = await timed('create', () => client.send(family, 'create', { fields: fields('') }));
    // The client has read the id from the answer.
    const id = client.created().find((record) => record.family === family && record.name === fields('')['name'])?.id;
    if (made === undefined || id === undefined) return;
    await timed('read', () => client.send(family, 'read', { id }));
    await timed('update', () => client.send(family, 'update', { id, fields: fields('u', id) }));
    await timed('delete', () => client.send(family, 'delete', { id }));
  };
  const timer = setInterval(
    () => {
      if (used === undefined || running.size >= atOnce) return;
      const work: Promise<void> = cycle(used, cycles++).finally(() => running.delete(work));
      running.add(work);
    },
    (CYCLE.length * 1000) / perSecond,
  );
  return {
    async stop(): Promise<BackgroundFacts[]> {
      clearInterval(timer);
      await Promise.allSettled(running);
      return Object.values(tallies);
    },
  };
}
export type BackgroundTraffic = ReturnType<typeof startBackground>;
