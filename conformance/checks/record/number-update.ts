import { hasOp } from '../../../lib/contract/types.ts';
import { isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure, answerText } from '../../kit/answer.ts';
import { checkOfEach } from '../../kit/check.ts';
import { Blocked, NotTestable } from '../../kit/fault.ts';
import { isCreatable, rangedMembers } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readUntil, updateFields } from '../../kit/record/record-reads.ts';
import { type Bound, bounds, isTaken } from './number.ts';

/** A record moves to both ends of the range and away again: what a create may hold, an update may set. */
export const numberBoundsByUpdate = checkOfEach<Bound>({
  id: 'number/bounds-by-update',
  serial: true,
  title: 'an update stores the smallest and the largest number of the range',
  requirement: 'RES-SGTVAL',
  level: 'stated',
  appliesTo: (family) =>
    isCreatable(family) && hasOp(family, 'update') && hasOp(family, 'read') && rangedMembers(family).length > 0,
  variants: bounds,
  // A number that a removed record still holds would be refused too.
  dependsOn: ['record/create', 'record/update', 'record/update-creates-none', 'record/delete-unlists'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context, { member, value }, { name }) {
    const own = await context.fixture();
    for (const number of [value, Number(own.sent[member])]) {
      const answer = await context.send('update', { id: own.id, fields: updateFields(own, { [member]: number }) });
      if (isForbidden(answer)) throw new Blocked(`no permission: ${answerText(answer)}`);
      if (!isSuccess(answer)) {
        if (await isTaken(context, member, number))
          throw new NotTestable(`${member} ${number} is in use on the target`, `${member} ${number} to be free`);
        throw answerFailure(`an update to ${member} ${number} to be taken`, answer, { subject: `number ${name}` });
      }
      const { fits, record } = await readUntil(context, own, (held) => held[member] === number);
      if (!fits) {
        const subject = `number ${name}` as const;
        throw memberFailure({
          operation: 'update',
          member,
          seen: record?.[member],
          expected: `${member} ${number}`,
          subject,
        });
      }
      context.witness('updates');
    }
    return undefined;
  },
});
