import { isSuccess } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, checkOfEach } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { nameMember, textMember } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';
import { isUpdatable, onWrites } from '../common.ts';

/** Whether a target keeps or clears what an update leaves out is not shown: only a value from before is wrong. */
export const updateLeavesOut: Check = checkOfEach<string>({
  ...onWrites,
  id: 'body/unset-in-update',
  title: 'a member that an update leaves out is kept or cleared, and gets no earlier value back',
  requirement: 'CNV-UNSET',
  appliesTo: isUpdatable,
  variants: (family) =>
    [...new Set([nameMember(family), textMember(family)])].flatMap((name) =>
      name === undefined ? [] : [{ name, data: name }],
    ),
  dependsOn: ['record/update', 'record/rename'],
  exercises: ['update'],
  async run(context, member) {
    const own = await context.fixture();
    const { [member]: first } = own.sent;
    const { [member]: changed } = context.payload();
    if (changed === undefined || changed === first)
      throw new NotTestable(`no two records of the run differ in ${member}`, `a target that takes any ${member}`);
    const put = (fields: Record<string, unknown>) => context.send('update', { id: own.id, fields });
    const whole = updateFields(own, { [member]: changed });
    mustSucceed(await put(whole), 'the update taken');
    const { [member]: _, ...rest } = whole;
    const answer = await put(rest);
    if (!isSuccess(answer))
      throw new NotTestable(`the target requires ${member} in an update`, 'a target that does without it');
    const { fits, record } = await readUntil(context, own, (held) => held[member] !== first);
    // What has no name any more is told from the records of others by its id alone.
    await put(whole);
    if (!fits)
      throw memberFailure('update', member, record?.[member], `${member} ${shown(changed)} as before, or none`);
    context.witness('updates');
  },
});
