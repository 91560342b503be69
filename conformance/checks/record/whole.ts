import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { entriesOf, idOf, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { Check, CheckContext, Fixture } from '../../kit/check.ts';
import { failure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { nameOf, shown, updateFields } from '../../kit/record/record-reads.ts';

const WRITES = 3;
/** Looks, one after the other, while one update is on its way. */
const READS = 3;

/** What one look shows of a record; undefined where it shows none. */
type Look = () => Promise<JsonObject | undefined>;

const isTwoPart = (family: Family): boolean =>
  isCreatable(family) && hasOp(family, 'update') && 'name' in fieldsOf(family) && 'description' in fieldsOf(family);

/** Updates the record to and fro while it is looked at, and fails where a look shows the name of one update and the text of another. */
async function expectWhole(context: CheckContext, own: Fixture, look: Look, witness: string): Promise<undefined> {
  const names = [nameOf(context, own), `${nameOf(context, own)}b`];
  // The two members that are compared stand at both ends of the body, so that one written in parts shows.
  const version = (turn: number) => {
    const { description: _, ...others } = updateFields(own, { name: names[turn % 2] });
    return { ...others, description: `of ${names[turn % 2]}` };
  };
  await context.send('update', { id: own.id, fields: version(0) });
  const seen: unknown[] = [];
  const read = async () => {
    for (let turn = 0; turn < READS; turn += 1) {
      const record = await look();
      if (record !== undefined) seen.push([record['name'], record['description']]);
    }
  };
  // So many looks to each update, one after the other: as many in every run, and over all of the time that it takes.
  for (let turn = 1; turn <= WRITES; turn += 1) {
    const write = context.send('update', { id: own.id, fields: version(turn) });
    await Promise.all([write, read()]);
  }
  // Where a write shows late, no look has seen another version yet: only one that did could have seen parts of two.
  const differs = () => new Set(seen.map(shown)).size > 1 || undefined;
  await context.eventually(async () => {
    if (!differs()) await read();
    return differs();
  });
  const before = [own.sent['name'], own.sent['description']];
  const whole = new Set([before, ...names.map((name) => [name, `of ${name}`])].map(shown));
  const mixed = seen.find((pair) => !whole.has(shown(pair)));
  if (mixed !== undefined)
    throw failure('value', 'update', 'parallel requests', {
      expected: `name and description of one update: ${[...whole].join(' or ')}`,
      observed: shown(mixed),
    });
  if (differs()) context.witness(witness, seen.length);
}

export const readsAreWhole: Check = {
  id: 'concurrency/whole-reads',
  title: 'a read during updates shows the record in one version',
  requirement: 'ATOM-1',
  level: 'implied',
  appliesTo: (family) => isTwoPart(family) && hasOp(family, 'read'),
  dependsOn: ['record/update'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    return expectWhole(context, own, async () => recordOf(await context.send('read', { id: own.id })), 'reads');
  },
};

export const entriesAreWhole: Check = {
  id: 'concurrency/whole-entries',
  depth: 'normal',
  title: 'a list entry during updates shows the record in one version',
  requirement: 'ATOM-1',
  level: 'implied',
  appliesTo: (family) => isTwoPart(family) && hasOp(family, 'list') && family.filters.includes('name'),
  dependsOn: ['record/update', 'record/created-is-listed'],
  exercises: ['update', 'list'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    // The names of both versions begin so, and no other record's does.
    const filters = [{ field: 'name', operator: 'STARTSW' as const, value: nameOf(context, own) }];
    const look = async () =>
      (entriesOf(await context.send('list', { list: { filters } })) ?? []).find((entry) => idOf(entry) === own.id);
    const first = await context.eventually(look);
    if (first?.['name'] === undefined || first['description'] === undefined)
      return { verdict: 'not-applicable', reason: 'list entries do not show both name and description' };
    return expectWhole(context, own, look, 'entries');
  },
};
