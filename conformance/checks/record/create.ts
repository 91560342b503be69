import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../../kit/check.ts';
import { holds } from '../../kit/contains-subset.ts';
import { CheckFailure, LostRecord, UnreadableRecord } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, nameMember, sentFields } from '../../kit/fields.ts';
import { acceptedCreate } from '../../kit/record/accepted-create.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { nameOf, readUntil, shown } from '../../kit/record/record-reads.ts';
import { mustTakeCreates } from '../../kit/record/trial-verdict.ts';

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
      const isLost = fault instanceof LostRecord;
      throw new CheckFailure({
        expected: 'a record that can be found and read',
        observed: fault.message,
        about: { kind: 'no-effect', operation: isLost ? 'create' : 'read', subject: 'record' },
        requirement: isLost ? undefined : opRequirementId(context.family.name, 'read'),
      });
    }
    return undefined;
  },
};

/** A record with one member of the samples alone. What stands inside an object is not shown: its refusal decides nothing. */
function alone(context: CheckContext, member: string, samples: Readonly<Record<string, unknown>>): Promise<Fixture> {
  if (!(member in samples)) return context.fixture();
  const isOpen = typeof samples[member] === 'object' || isServerFilled(context.family, member);
  const overrides = { [member]: samples[member] };
  return isOpen
    ? context.fixture(overrides)
    : acceptedCreate(context, overrides, {
        expected: `a create with ${member} to be taken`,
        subject: `member ${member}`,
      });
}

/** Each listed field that a create carries is stored. */
export const createAllFields = checkOfEach<string>({
  id: 'record/create-fields',
  title: 'each listed field that a create carries is stored',
  requirement: 'PAY-C',
  level: 'stated',
  appliesTo: isCreatable,
  variants: (family) =>
    sentFields(family, 'create').map(([member]) => ({
      name: member,
      data: member,
      ...(isServerFilled(family, member) ? { level: 'gap' as const } : {}),
    })),
  dependsOn: ['record/create'],
  exercises: ['create'],
  needs: 'own-data',
  async run(context, member) {
    const samples = context.run.values.samples(0);
    // One record with everything; where the target refuses that, one with this member alone.
    const own = await context.run
      .shared('full-record', (scope) => scope.fixture(samples))
      .catch(() => alone(context, member, samples));
    const sent = own.sent[member];
    if (sent === undefined) return { verdict: 'not-applicable', reason: `no value to send for ${member} is known` };
    const { fits, record } = await readUntil(context, own, (held) => holds(held[member], sent));
    context.observe('sent', sent);
    context.observe('answered', record?.[member] ?? null);
    if (record !== undefined) context.witness('compared');
    if (!fits) {
      throw memberFailure({
        operation: 'create',
        member,
        seen: record?.[member],
        expected: `${member} as sent: ${shown(sent)}`,
        observed: `${member}: ${shown(record?.[member])}`,
      });
    }
    return undefined;
  },
});

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
