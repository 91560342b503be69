import { hasOp } from '../../../lib/contract/types.ts';
import { idOf } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import type { Check, CheckContext, Fixture } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { creatable, isCreatable, nameMember } from '../../kit/fields.ts';
import { isGone, isListed, nameOf, readRecord } from '../../kit/record/record-reads.ts';
import { mustTakeDeletes } from '../../kit/record/trial-verdict.ts';

const deletable: Check['appliesTo'] = (family) =>
  isCreatable(family) && hasOp(family, 'delete') && hasOp(family, 'read');

const stillThere = (expected: string, observed: string) =>
  new CheckFailure({ expected, observed, about: { kind: 'no-effect', operation: 'delete', subject: 'record' } });

/** A delete that is answered 2xx removes the record. */
export const deleteRemoves: Check = {
  id: 'record/delete',
  title: 'a deleted record is no longer readable',
  requirement: 'OP-{family}-D',
  level: 'stated',
  appliesTo: deletable,
  exercises: ['delete'],
  needs: 'own-data',
  async run(context) {
    mustTakeDeletes(context);
    const own = await context.fixture();
    mustSucceed(await context.send('delete', { id: own.id }), 'the delete taken');
    if (!(await isGone(context, own))) {
      context.ledger.adopt(own.family, own.id, nameOf(context, own));
      throw stillThere(`no record under ${own.id}`, 'it can still be read');
    }
    context.witness('removed');
    return undefined;
  },
};

/** The same name in another family that creates records; undefined where that one refuses it. */
async function controlOf(context: CheckContext, name: string): Promise<Fixture | undefined> {
  const other = creatable(context.table).find((family) => {
    const shape = context.table[family];
    return (
      family !== context.family.name && shape !== undefined && nameMember(shape) === 'name' && hasOp(shape, 'read')
    );
  });
  return other === undefined ? undefined : context.fixture({ name }, other).catch(() => undefined);
}

/** A delete leaves records with like names alone, in its own family and in others. */
export const deleteSparesSiblings: Check = {
  id: 'record/delete-siblings',
  title: 'a delete removes no record with a similar name, and none of another family',
  requirement: 'OP-{family}-D',
  level: 'stated',
  appliesTo: deletable,
  dependsOn: ['record/delete'],
  exercises: ['delete'],
  needs: 'own-data',
  async run(context) {
    const member = nameMember(context.family) ?? 'name';
    const own = await context.fixture();
    const name = nameOf(context, own);
    const siblings = [await context.fixture({ [member]: `${name}1` }), await context.fixture({ [member]: `${name}2` })];
    const control = await controlOf(context, name);
    mustSucceed(await context.send('delete', { id: own.id }), 'the delete taken');
    if (!(await isGone(context, own))) throw stillThere(`no record under ${own.id}`, 'it can still be read');
    for (const other of [...siblings, ...(control === undefined ? [] : [control])]) {
      const { record } = await readRecord(context, other);
      if (idOf(record) !== other.id) {
        throw new CheckFailure({
          expected: `${other.family} ${nameOf(context, other)} untouched`,
          observed: 'it is gone too',
          about: { kind: 'missing', operation: 'delete', subject: 'other records' },
        });
      }
      context.witness(other === control ? 'controls' : 'siblings');
    }
    return undefined;
  },
};

/** List and read agree that a record is gone. */
export const deleteUnlists: Check = {
  id: 'record/delete-unlists',
  title: 'a deleted record is not listed',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family, table) => deletable(family, table) && hasOp(family, 'list'),
  dependsOn: ['record/delete', 'record/created-is-listed'],
  exercises: ['delete', 'list'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    const listed = await context.eventually(async () => ((await isListed(context, own)) ? true : undefined));
    if (listed === undefined)
      throw new CheckFailure({
        expected: 'the record in the list before the delete',
        observed: 'it is not there',
        about: { kind: 'records', operation: 'list', subject: 'list' },
      });
    mustSucceed(await context.send('delete', { id: own.id }), 'the delete taken');
    const unlisted = await context.eventually(async () => ((await isListed(context, own)) ? undefined : true));
    if (unlisted === undefined)
      throw new CheckFailure({
        expected: `${own.id} gone from the list`,
        observed: 'it is still listed',
        about: { kind: 'records', operation: 'list', subject: 'list' },
      });
    if (!(await isGone(context, own)))
      throw stillThere(`no record under ${own.id}`, 'gone from the list and still readable');
    context.witness('unlisted');
    return undefined;
  },
};
