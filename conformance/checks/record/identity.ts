import type { Op } from '../../../lib/contract/types.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { freeText, nameOf, readRecord, shown, updateFields } from '../../kit/record/record-reads.ts';

const RECORDS = 2;

/** Ids are texts, differ between records, and stay. */
export const idsStay: Check = {
  id: 'record/ids',
  title: 'ids are texts, unique, and the same in create, read, list and update',
  requirement: 'RES-ID',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const owns = [];
    for (let count = 0; count < RECORDS; count += 1) owns.push(await context.fixture());
    const ids = new Set(owns.map(({ id }) => id));
    if (ids.size < owns.length)
      throw new CheckFailure({
        expected: `${RECORDS} different ids`,
        observed: [...ids].join(', '),
        about: { kind: 'value', operation: 'create', subject: 'id unique' },
      });
    for (const own of owns) {
      const seen: (readonly [string, unknown, Op?])[] = [['read', (await readRecord(context, own)).record?.['id']]];
      const entry = (await listEntries(context, context.family.name, nameOf(context, own))).find(
        (listed) => String(listed['id']) === own.id,
      );
      if (entry !== undefined) seen.push(['list', entry['id'], 'list']);
      if (hasOp(context.family, 'update')) {
        const fields = updateFields(own, freeText(context, `id kept ${context.run.prefix}`));
        const updated = await context.send('update', { id: own.id, fields });
        if (isSuccess(updated))
          seen.push(['read after an update', (await readRecord(context, own)).record?.['id'], 'update']);
      }
      for (const [where, id, operation = 'read'] of seen) {
        if (id !== own.id)
          throw memberFailure({ operation, member: 'id', seen: id, expected: `the id ${shown(own.id)} in ${where}` });
        context.witness('ids');
      }
    }
    return undefined;
  },
};
