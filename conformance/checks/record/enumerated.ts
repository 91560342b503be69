import { answeredId, isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { checkOfEach } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { enumeratedMembers, isCreatable, nameMember } from '../../kit/fields.ts';
import { takeUp } from '../../kit/record/finder.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readRecord, readUntil, shown } from '../../kit/record/record-reads.ts';

/** A value that no table lists. */
const UNLISTED = 'CFMUNLISTED';

/** No record holds a value outside the listed ones. */
export const enumeratedOnly = checkOfEach<string>({
  id: 'record/listed-values',
  title: 'a value outside the listed ones is not stored',
  requirement: 'RES-PTYPE',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && enumeratedMembers(family).length > 0,
  variants: (family) => enumeratedMembers(family).map((name) => ({ name, data: name })),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, member) {
    const fields = context.payload({ [member]: UNLISTED });
    const created = await context.send('create', { fields });
    if (isForbidden(created)) throw new Blocked('no permission to create');
    context.observe('status', created.status);
    const control = await context.fixture();
    const { fits, record } = await readUntil(context, control, (held) => held[member] === control.sent[member]);
    if (!fits) {
      const expected = `${member} ${shown(control.sent[member])}`;
      throw memberFailure({ operation: 'create', member, seen: record?.[member], expected });
    }
    context.witness('controls');
    const name = String(fields[nameMember(context.family) ?? 'name']);
    const given = isSuccess(created) ? answeredId(created) : undefined;
    for (const id of await takeUp(context, context.family.name, name, given)) {
      const stored = (await readRecord(context, { family: context.family.name, id })).record?.[member];
      if (stored === UNLISTED)
        throw new CheckFailure({
          expected: `no ${member} outside the listed values`,
          observed: `stored ${shown(stored)}`,
          about: { kind: 'accepted', operation: 'create', subject: `member ${member}` },
        });
    }
    return undefined;
  },
});
