import type { Check } from '../../kit/check.ts';
import { CheckFailure, LostRecord, UnreadableRecord } from '../../kit/fault.ts';
import { isCreatable, nameMember } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { nameOf, readUntil, shown } from '../../kit/record/record-reads.ts';
import { mustTakeCreates } from '../../kit/record/trial-verdict.ts';
import { unreadable } from '../../kit/record/unreadable.ts';

/** A create that is answered 2xx leaves a record that can be found and read. */
export const createStores: Check = {
  id: 'record/create',
  title: 'a created record is found by its name',
  requirement: 'OP-{family}-C',
  level: 'stated',
  appliesTo: isCreatable,
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const member = nameMember(context.family) ?? 'name';
    mustTakeCreates(context);
    try {
      const own = await context.fixture();
      context.witness('created');
      const name = nameOf(context, own);
      const { fits, record } = await readUntil(context, own, (held) => held[member] === name);
      if (!fits) {
        throw memberFailure({
          operation: 'create',
          member,
          seen: record?.[member],
          expected: `${member} ${shown(name)}`,
          observed: `${member} ${shown(record?.[member])}`,
        });
      }
    } catch (fault) {
      if (!(fault instanceof LostRecord || fault instanceof UnreadableRecord)) throw fault;
      context.evidence.add(fault.exchange);
      if (fault instanceof UnreadableRecord) throw unreadable(fault, context.family.name);
      throw new CheckFailure({
        expected: 'a record that can be found and read',
        observed: fault.message,
        about: { kind: 'no-effect', operation: 'create', subject: 'record' },
      });
    }
    return undefined;
  },
};

/** A family whose create may carry an id takes one. */
export const createWithId: Check = {
  id: 'record/create-with-id',
  title: 'a create that carries an id is accepted',
  requirement: 'PAY-ID',
  level: 'stated',
  appliesTo: (family) =>
    isCreatable(family) && family.fields !== 'unspecified' && family.fields['id']?.sentOn === 'create+update',
  dependsOn: ['record/create'],
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    await context.fixture();
    const id = `0cf00000-0000-4000-8000-${String(context.run.seed >>> 0).padStart(12, '0')}`;
    try {
      const own = await context.fixture({ id });
      context.witness('accepted');
      context.observe('id taken over', own.id === id);
    } catch (fault) {
      const isLost = fault instanceof LostRecord;
      throw new CheckFailure({
        expected: isLost ? 'a record that can be read' : 'a create with an id to be taken as one without is',
        observed: (fault as Error).message,
        about: { kind: isLost ? 'no-effect' : 'refused', operation: 'create', subject: 'id given' },
      });
    }
    return undefined;
  },
};
