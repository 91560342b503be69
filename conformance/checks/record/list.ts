import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { isListed, shown } from '../../kit/record/record-reads.ts';
import { listSchema } from '../../kit/schemas.ts';

/** The envelope of a list answer. */
export const listEnvelope: Check = {
  id: 'body/list-envelope',
  title: 'a list answer has the listed form, down to the link to the next page',
  requirement: 'LST-ENV',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'list'),
  exercises: ['list'],
  needs: 'read',
  async run(context) {
    for (const list of [{}, { size: 1 }]) {
      const answer = await context.send('list', { list });
      if (!isSuccess(answer)) continue;
      const parsed = listSchema.safeParse(answer.json);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new CheckFailure({
          expected: 'the list envelope',
          observed: `${issue?.path.join('.')}: ${issue?.message}; ${shown(answer.json ?? answer.body)}`,
          about: { kind: 'value', operation: 'list', subject: 'envelope' },
        });
      }
      context.witness('envelopes');
    }
    return undefined;
  },
};

/** What was created is listed. */
export const createIsListed: Check = {
  id: 'record/created-is-listed',
  title: 'a created record is listed',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list'),
  dependsOn: ['record/create'],
  exercises: ['create', 'list'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    const seen = await context.eventually(async () => ((await isListed(context, own)) ? true : undefined));
    if (seen === undefined)
      throw new CheckFailure({
        expected: `the record ${own.id} in the list`,
        observed: 'it is readable and not listed',
        about: { kind: 'records', operation: 'list', subject: 'list' },
      });
    context.witness('listed');
    return undefined;
  },
};
