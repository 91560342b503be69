import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { holds } from '../../kit/contains-subset.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable, nameMember, textMember } from '../../kit/fields.ts';
import { nameOf, readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';

const RECORDS = 3;

const crossed = (operation: 'create' | 'update', expected: string, seen: unknown) =>
  new CheckFailure({
    expected,
    observed: shown(seen),
    about: { kind: 'value', operation, subject: 'parallel requests' },
  });

/** Writes that cross each other leave each record as its own write said. */
export const parallelWrites: Check = {
  id: 'concurrency/parallel-contents',
  title: 'records written at the same time keep their own contents',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create', 'concurrency/parallel-creates'],
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const { family } = context;
    const member = textMember(family) ?? 'name';
    const isName = member === nameMember(family);
    const text = (turn: string, index: number) => `${turn} ${index} of ${context.run.prefix}`;
    const owns = await Promise.all(
      Array.from({ length: RECORDS }, (_, index) => context.fixture(isName ? {} : { [member]: text('made', index) })),
    );
    for (const own of owns) {
      const { fits, record } = await readUntil(context, own, (held) => holds(held[member], own.sent[member]));
      if (!fits) throw crossed('create', `${own.id} with ${shown(own.sent[member])}`, record?.[member]);
      context.witness('created');
    }
    if (!hasOp(family, 'update')) return undefined;
    const changes = owns.map((own, index) =>
      isName ? { [member]: `${nameOf(context, own)}p` } : { [member]: text('changed', index) },
    );
    const answers = await Promise.all(
      owns.map((own, index) => context.send('update', { id: own.id, fields: updateFields(own, changes[index] ?? {}) })),
    );
    for (const [index, own] of owns.entries()) {
      const answer = answers[index];
      // A target may refuse an update because of another one: what it took has to show.
      if (answer === undefined || !isSuccess(answer)) continue;
      const { fits, record } = await readUntil(context, own, (held) => holds(held, changes[index]));
      if (!fits) throw crossed('update', `${own.id} with ${shown(changes[index])}`, record?.[member]);
      context.witness('updated');
    }
    return undefined;
  },
};
