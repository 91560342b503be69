import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
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
