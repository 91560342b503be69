import { hasOp } from '../../lib/contract/types.ts';
import { idOf, recordOf } from '../answer.ts';
import { type Check, CheckFailure, LostRecord } from '../check.ts';
import { isCreatable, nameMember } from '../fields.ts';
import { waitedMs } from '../poller.ts';
import { nameOf, readRecord, shown, updateFields } from './probe.ts';

const SOON_MS = 1000;
const CREATES = 8;
const WRITES = 12;
const READERS = 3;
const READS = 2;

/** A write shows at the next read, or soon after. */
export const visibleSoon: Check = {
  id: 'record/visible-soon',
  title: 'a created record can be read within the first second',
  requirement: 'FRESH-1',
  level: 'implied',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const { looks = 1 } = await context.fixture();
    context.observe('milliseconds until visible, at least', waitedMs(looks));
    if (waitedMs(looks) > SOON_MS) {
      throw new CheckFailure(`a created record readable within ${SOON_MS} ms`, `not before ${waitedMs(looks)} ms`);
    }
    context.witness('visible');
    return undefined;
  },
};

/** Creates that cross each other lose nothing. */
export const parallelCreates: Check = {
  id: 'concurrency/parallel-creates',
  title: 'records created at the same time all exist, each under an id of its own',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const tries = await Promise.allSettled(Array.from({ length: CREATES }, () => context.fixture()));
    const lost = tries.flatMap((made) => (made.status === 'rejected' ? [made.reason as unknown] : []));
    const gone = lost.find((fault) => fault instanceof LostRecord);
    if (gone !== undefined)
      throw new CheckFailure(`${CREATES} records`, `${lost.length} lost: ${(gone as Error).message}`);
    if (lost.length > 0) throw lost[0];
    const owns = tries.flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
    const ids = new Set(owns.map(({ id }) => id));
    if (ids.size < owns.length)
      throw new CheckFailure(`${CREATES} different ids`, `${ids.size}: ${[...ids].join(', ')}`);
    const member = nameMember(context.name, context.family) ?? 'name';
    for (const own of owns) {
      const { record } = await readRecord(context, own);
      if (idOf(record) !== own.id || record?.[member] !== nameOf(context, own)) {
        throw new CheckFailure(
          `${own.id} named ${nameOf(context, own)}`,
          shown({ id: idOf(record), [member]: record?.[member] }),
        );
      }
      context.witness('records');
    }
    return undefined;
  },
};

/** A read during writes shows one version, never parts of two. */
export const readsAreWhole: Check = {
  id: 'concurrency/whole-reads',
  title: 'a read during updates shows a record as one update left it',
  requirement: 'ATOM-1',
  level: 'implied',
  appliesTo: (family) =>
    isCreatable(family) &&
    hasOp(family, 'update') &&
    hasOp(family, 'read') &&
    family.fields !== 'unspecified' &&
    'name' in family.fields &&
    'description' in family.fields,
  dependsOn: ['record/update'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
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
        const record = recordOf(await context.send('read', { id: own.id }));
        if (record !== undefined) seen.push([record['name'], record['description']]);
      }
    };
    // So many reads to each update, one after the other: as many in every run, and over all of the time that it takes.
    for (let turn = 1; turn <= WRITES; turn += 1) {
      const write = context.send('update', { id: own.id, fields: version(turn) });
      await Promise.all([write, ...Array.from({ length: READERS }, read)]);
    }
    const before = [own.sent['name'], own.sent['description']];
    const whole = new Set([before, ...names.map((name) => [name, `of ${name}`])].map(shown));
    const mixed = seen.find((pair) => !whole.has(shown(pair)));
    if (mixed !== undefined)
      throw new CheckFailure(`name and description of one update: ${[...whole].join(' or ')}`, shown(mixed));
    if (new Set(seen.map(shown)).size > 1) context.witness('reads', seen.length);
    return undefined;
  },
};
