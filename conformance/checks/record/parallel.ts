import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { entriesOf, idOf, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import { type Check, type CheckContext, type Fixture, notApplicable } from '../../kit/check.ts';
import { failure } from '../../kit/fault.ts';
import { isCreatable, nameMember, textMember } from '../../kit/fields.ts';
import { nameOf, shown, updateFields } from '../../kit/record/record-reads.ts';
import { create, read, remove, together } from '../../plans/make.ts';
import { change } from '../../plans/obvious/steps.ts';
import { isReadable } from '../common.ts';
import { stepCheck } from './writes.ts';

const LABELS = ['a', 'b', 'c', 'd', 'e'] as const;

const parallelCreates = stepCheck({
  id: 'concurrency/parallel-creates',
  title: 'records created at the same time exist, and have ids of their own; deleted at the same time, they are gone',
  requirement: 'SVC-1',
  appliesTo: isReadable,
  exercises: ['create'],
  plan: ({ family }) => ({
    steps: [
      ...[together(...LABELS.map((as) => create(as))), ...LABELS.map((who) => read(who))],
      ...(hasOp(family, 'delete')
        ? [together(...LABELS.map((who) => remove(who))), ...LABELS.map((who) => read(who))]
        : []),
    ],
    isAbout: ({ kind, subject }) =>
      kind === 'no-effect' || kind === 'refused' || ['member id', `member ${nameMember(family)}`].includes(subject),
    ...{ isOwn: true, subject: 'parallel requests' },
  }),
});

const parallelWrites = stepCheck({
  id: 'concurrency/parallel-contents',
  title: 'records written at the same time keep their own contents',
  requirement: 'SVC-1',
  appliesTo: isReadable,
  dependsOn: ['record/create', 'concurrency/parallel-creates'],
  exercises: ['create'],
  plan: (context) => {
    const some = LABELS.slice(0, 3);
    const member = textMember(context.family);
    const text = (turn: string, as: string) => `${turn} ${as} of ${context.run.prefix}`;
    const set = (as: string) =>
      member === undefined || member === nameMember(context.family) ? {} : { [member]: text('made', as) };
    const changes = hasOp(context.family, 'update')
      ? [together(...some.map((as) => change(context, as, text('changed', as)))), ...some.map((who) => read(who))]
      : [];
    // What no update is taken for, creates may still show.
    return [changes, []].map((each) => ({
      steps: [together(...some.map((as) => create(as, set(as)))), ...some.map((who) => read(who)), ...each],
      // Another type is what schema/every-answer tells.
      isAbout: ({ requirement }) => requirement !== 'RES-TYPE',
      subject: 'parallel requests',
    }));
  },
});

const WRITES = 3;
const READS = 3;

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
  for (let turn = 1; turn <= WRITES; turn += 1)
    await Promise.all([context.send('update', { id: own.id, fields: version(turn) }), read()]);
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

const onVersions = { requirement: 'ATOM-1', level: 'implied', needs: 'own-data' } as const;

const readsAreWhole: Check = {
  ...onVersions,
  id: 'concurrency/whole-reads',
  title: 'a read during updates shows the record in one version',
  appliesTo: (family) => isTwoPart(family) && hasOp(family, 'read'),
  dependsOn: ['record/update'],
  exercises: ['update'],
  async run(context) {
    const own = await context.fixture();
    return expectWhole(context, own, async () => recordOf(await context.send('read', { id: own.id })), 'reads');
  },
};

const entriesAreWhole: Check = {
  ...onVersions,
  id: 'concurrency/whole-entries',
  depth: 'normal',
  title: 'a list entry during updates shows the record in one version',
  appliesTo: (family) => isTwoPart(family) && hasOp(family, 'list') && family.filters.includes('name'),
  dependsOn: ['record/update', 'record/created-is-listed'],
  exercises: ['update', 'list'],
  async run(context) {
    const own = await context.fixture();
    // The names of both versions begin so, and no other record's does.
    const filters = [{ field: 'name', operator: 'STARTSW' as const, value: nameOf(context, own) }];
    const look = async () =>
      (entriesOf(await context.send('list', { list: { filters } })) ?? []).find((entry) => idOf(entry) === own.id);
    const first = await context.eventually(look);
    if (first?.['name'] === undefined || first['description'] === undefined)
      return notApplicable('list entries do not show both name and description');
    return expectWhole(context, own, look, 'entries');
  },
};

export const parallelChecks: readonly Check[] = [parallelCreates, parallelWrites, readsAreWhole, entriesAreWhole];
