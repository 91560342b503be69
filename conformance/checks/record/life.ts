import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { idOf, isSuccess } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, notApplicable } from '../../kit/check.ts';
import { failure, LostRecord, leftOut, NotTestable, UnreadableRecord } from '../../kit/fault.ts';
import { isCreatable, nameMember, referenceOf, sentFields, textMember } from '../../kit/fields.ts';
import { until, waitedMs } from '../../kit/poller.ts';
import { listEntries } from '../../kit/record/finder.ts';
import * as reads from '../../kit/record/record-reads.ts';
import { mustTakeCreates, mustTakeDeletes } from '../../kit/record/write-attempt.ts';
import { create, read } from '../../plans/make.ts';
import { judgeSteps } from '../../plans/obvious/steps.ts';
import { isDeletable, isReadable, onRecords, onWrites } from '../common.ts';

export const createStores: Check = {
  ...onWrites,
  id: 'record/create',
  title: 'a created record is found by its name',
  requirement: 'OP-{family}-C',
  appliesTo: isCreatable,
  exercises: ['create'],
  async run(context) {
    const member = nameMember(context.family) ?? 'name';
    mustTakeCreates(context);
    try {
      const own = await context.fixture();
      context.witness('created');
      const name = reads.nameOf(context, own);
      const { fits, record } = await reads.readUntil(context, own, (held) => held[member] === name);
      const seen = record?.[member];
      if (!fits)
        throw reads.memberFailure('create', member, seen, `${member} ${reads.shown(name)}`, {
          observed: `${member} ${reads.shown(seen)}`,
        });
    } catch (fault) {
      if (!(fault instanceof LostRecord || fault instanceof UnreadableRecord)) throw fault;
      context.evidence.add(fault.exchange);
      if (fault instanceof UnreadableRecord) throw reads.unreadable(fault, context.family.name);
      throw failure('no-effect', 'create', 'record', { expected: reads.FINDABLE, observed: fault.message });
    }
  },
};

export const createWithId: Check = {
  ...onRecords,
  id: 'record/create-with-id',
  title: 'a create that carries an id is accepted',
  requirement: 'PAY-ID',
  appliesTo: (family) =>
    isCreatable(family) && family.fields !== 'unspecified' && family.fields['id']?.sentOn === 'create+update',
  exercises: ['create'],
  async run(context) {
    await context.fixture();
    const id = `0cf00000-0000-4000-8000-${String(context.run.seed >>> 0).padStart(12, '0')}`;
    try {
      const own = await context.fixture({ id });
      context.witness('accepted');
      context.observe('id taken over', own.id === id);
    } catch (fault) {
      const isLost = fault instanceof LostRecord;
      throw failure(isLost ? 'no-effect' : 'refused', 'create', 'id given', {
        expected: isLost ? 'a record that can be read' : 'a create with an id to be taken as one without is',
        observed: (fault as Error).message,
      });
    }
  },
};

const SOON_MS = 1000;

export const visibleSoon: Check = {
  ...onRecords,
  id: 'record/visible-soon',
  title: 'a created record is readable within the first second',
  requirement: 'FRESH-1',
  level: 'implied',
  appliesTo: isReadable,
  async run(context) {
    const { looks = 1 } = await context.fixture();
    const hiddenMs = waitedMs(looks - 1);
    context.observe('milliseconds not visible, at least', hiddenMs);
    if (hiddenMs > SOON_MS)
      throw failure('no-effect', 'create', 'record', {
        expected: `a created record readable within ${SOON_MS} ms`,
        observed: `not before ${hiddenMs} ms`,
      });
    context.witness('visible');
  },
};

export const unsetLeftOut: Check = {
  ...onRecords,
  id: 'body/unset-left-out',
  title: 'a create that leaves a field out is accepted',
  requirement: 'CNV-UNSET',
  appliesTo: (family) => isCreatable(family) && textMember(family) === 'description',
  async run(context) {
    const why = await judgeSteps(context, {
      steps: [{ ...create('subject'), without: ['description'] }, read('subject')],
      isAbout: ({ subject }) => subject === 'record',
      ...{ isOwn: true, subject: 'member description' },
    });
    // Which members a target requires is not shown.
    if (why !== undefined)
      throw new NotTestable(`description is required: ${why}`, 'a target that does without a description');
  },
};

export const deleteRemoves: Check = {
  ...onWrites,
  id: 'record/delete',
  title: 'a deleted record is no longer readable',
  requirement: 'OP-{family}-D',
  appliesTo: isDeletable,
  exercises: ['delete'],
  async run(context) {
    mustTakeDeletes(context);
    const own = await context.fixture();
    mustSucceed(await context.send('delete', { id: own.id }), 'the delete taken');
    if (!(await reads.isGone(context, own))) {
      context.ledger.adopt(own);
      throw failure('no-effect', 'delete', 'record', {
        expected: `no record under ${own.id}`,
        observed: 'it can still be read',
      });
    }
    context.witness('removed');
  },
};

/** The members of a family that name a record of another one which can be made and removed, with that family. */
const referring = (table: FamilyTable, family: Family): readonly (readonly [member: string, other: string])[] =>
  sentFields(family, 'create').flatMap(([member, { refersBy }]) => {
    const other = referenceOf(table, family, member);
    const isMade = other !== undefined && refersBy !== 'name' && hasOp(table[other] as Family, 'delete');
    return isMade ? [[member, other] as const] : [];
  });

/** What becomes of a record whose group is deleted is not stated; one that is still there is listed. */
export const listedAlone: Check = {
  ...onRecords,
  id: 'record/refers-to-deleted',
  title: 'a record that names one which was deleted is listed for as long as it can be read',
  requirement: 'OP-{family}-L',
  appliesTo: (family, table) =>
    isDeletable(family, table) && hasOp(family, 'list') && referring(table, family).length > 0,
  dependsOn: ['record/create', 'record/created-is-listed'],
  exercises: ['list'],
  async run(context) {
    const { family, table } = context;
    let seen = 0;
    for (const [member, other] of referring(table, family)) {
      if (!context.run.mayCreate(other)) continue;
      const named = await context.fixture({}, other);
      const own = await context.fixture({ [member]: named.id });
      const removed = await context.send('delete', { id: named.id }, other);
      if (!isSuccess(removed) || !(await reads.isGone(context, named))) continue;
      const isListed = await until(context, async () =>
        (await listEntries(context, family.name)).some((entry) => idOf(entry) === own.id),
      );
      if ((await reads.readRecord(context, own)).record === undefined) continue;
      seen += 1;
      context.witness('records');
      if (!isListed)
        throw leftOut('list', {
          expected: `${own.id} in the list, as a read shows it`,
          observed: `no such entry since ${other} ${named.id} was deleted`,
        });
    }
    if (seen > 0) return undefined;
    return notApplicable('no record that another one names is removed alone');
  },
};
