import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { idOf, isSuccess } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, notApplicable } from '../../kit/check.ts';
import { failure } from '../../kit/fault.ts';
import { referenceOf, sentFields } from '../../kit/fields.ts';
import { until } from '../../kit/poller.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { isGone, readRecord } from '../../kit/record/record-reads.ts';
import { mustTakeDeletes } from '../../kit/record/write-attempt.ts';
import { isDeletable, onRecords, onWrites } from '../common.ts';

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
    if (!(await isGone(context, own))) {
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
      if (!isSuccess(removed) || !(await isGone(context, named))) continue;
      const isListed = await until(context, async () =>
        (await listEntries(context, family.name)).some((entry) => idOf(entry) === own.id),
      );
      if ((await readRecord(context, own)).record === undefined) continue;
      seen += 1;
      context.witness('records');
      if (!isListed)
        throw failure('records', 'list', 'list', {
          expected: `${own.id} in the list, as a read shows it`,
          observed: `no such entry since ${other} ${named.id} was deleted`,
        });
    }
    if (seen > 0) return undefined;
    return notApplicable('no record that another one names is removed alone');
  },
};
