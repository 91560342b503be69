import { hasOp } from '../../../lib/contract/types.ts';
import { mustSucceed } from '../../kit/answer.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { isGone } from '../../kit/record/record-reads.ts';
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
      context.ledger.adopt(own);
      throw stillThere(`no record under ${own.id}`, 'it can still be read');
    }
    context.witness('removed');
    return undefined;
  },
};
