import { isSuccess } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { failure, LostRecord, NotTestable, Refused, UnreadableRecord } from '../../kit/fault.ts';
import { isCreatable, nameMember, textMember } from '../../kit/fields.ts';
import { waitedMs } from '../../kit/poller.ts';
import { FINDABLE, memberFailure, nameOf, readUntil, shown, unreadable } from '../../kit/record/record-reads.ts';
import { mustTakeCreates } from '../../kit/record/write-attempt.ts';
import { isReadable, onRecords, onWrites } from '../common.ts';

export const createStores: Check = {
  ...onWrites,
  id: 'record/create',
  title: 'a created record is found by its name',
  requirement: 'OP-{family}-C',
  appliesTo: isCreatable,
  exercises: ['create'],
  async run(context) {
    const member = nameMember(context.family) ?? 'name';
    mustTakeCreates(context);
    try {
      const own = await context.fixture();
      context.witness('created');
      const name = nameOf(context, own);
      const { fits, record } = await readUntil(context, own, (held) => held[member] === name);
      const seen = record?.[member];
      if (!fits)
        throw memberFailure('create', member, seen, `${member} ${shown(name)}`, {
          observed: `${member} ${shown(seen)}`,
        });
    } catch (fault) {
      if (!(fault instanceof LostRecord || fault instanceof UnreadableRecord)) throw fault;
      context.evidence.add(fault.exchange);
      if (fault instanceof UnreadableRecord) throw unreadable(fault, context.family.name);
      throw failure('no-effect', 'create', 'record', { expected: FINDABLE, observed: fault.message });
    }
  },
};

export const createWithId: Check = {
  ...onRecords,
  id: 'record/create-with-id',
  title: 'a create that carries an id is accepted',
  requirement: 'PAY-ID',
  appliesTo: (family) =>
    isCreatable(family) && family.fields !== 'unspecified' && family.fields['id']?.sentOn === 'create+update',
  exercises: ['create'],
  async run(context) {
    await context.fixture();
    const id = `0cf00000-0000-4000-8000-${String(context.run.seed >>> 0).padStart(12, '0')}`;
    try {
      const own = await context.fixture({ id });
      context.witness('accepted');
      context.observe('id taken over', own.id === id);
    } catch (fault) {
      const isLost = fault instanceof LostRecord;
      throw failure(isLost ? 'no-effect' : 'refused', 'create', 'id given', {
        expected: isLost ? 'a record that can be read' : 'a create with an id to be taken as one without is',
        observed: (fault as Error).message,
      });
    }
  },
};

const SOON_MS = 1000;

export const visibleSoon: Check = {
  ...onRecords,
  id: 'record/visible-soon',
  title: 'a created record is readable within the first second',
  requirement: 'FRESH-1',
  level: 'implied',
  appliesTo: isReadable,
  async run(context) {
    const { looks = 1 } = await context.fixture();
    const hiddenMs = waitedMs(looks - 1);
    context.observe('milliseconds not visible, at least', hiddenMs);
    if (hiddenMs > SOON_MS)
      throw failure('no-effect', 'create', 'record', {
        expected: `a created record readable within ${SOON_MS} ms`,
        observed: `not before ${hiddenMs} ms`,
      });
    context.witness('visible');
  },
};

export const unsetLeftOut: Check = {
  ...onRecords,
  id: 'body/unset-left-out',
  title: 'a create that leaves a field out is accepted',
  requirement: 'CNV-UNSET',
  appliesTo: (family) => isCreatable(family) && textMember(family) === 'description',
  async run(context) {
    const own = await context.fixture({ description: undefined }).catch((fault: unknown) => {
      if (!(fault instanceof Refused)) throw fault;
      // Which members a target requires is not shown.
      throw new NotTestable(`description is required: ${fault.message}`, 'a target that does without a description');
    });
    const read = await context.send('read', { id: own.id });
    if (!isSuccess(read))
      throw failure('no-effect', 'create', 'member description', {
        expected: 'the record without a description',
        observed: `status ${read.status}`,
      });
    context.witness('taken');
  },
};
