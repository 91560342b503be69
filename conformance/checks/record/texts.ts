import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure, NotTestable, Refused } from '../../kit/fault.ts';
import { isCreatable, textMember } from '../../kit/fields.ts';

/** Members that were not supplied are not sent, and the target does without them. */
export const unsetLeftOut: Check = {
  id: 'body/unset-left-out',
  title: 'a create that leaves a field out is accepted',
  requirement: 'CNV-UNSET',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && textMember(family) === 'description',
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture({ description: undefined }).catch((fault: unknown) => {
      if (!(fault instanceof Refused)) throw fault;
      // Which members a target requires is not shown.
      throw new NotTestable(`description is required: ${fault.message}`, 'a target that does without a description');
    });
    const read = await context.send('read', { id: own.id });
    const sent = JSON.stringify(own.sent);
    const about = { kind: 'no-effect', operation: 'create', subject: 'member description' } as const;
    if ('description' in own.sent)
      throw new CheckFailure({ expected: 'no description in the body', observed: sent, about });
    if (!isSuccess(read))
      throw new CheckFailure({
        expected: 'the record without a description',
        observed: `status ${read.status}`,
        about,
      });
    context.witness('taken');
    return undefined;
  },
};
