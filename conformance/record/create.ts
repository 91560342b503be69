import { hasOp } from '../../lib/contract/types.ts';
import { answerText, isForbidden, isSuccess } from '../answer.ts';
import { Blocked, type Check, CheckFailure } from '../check.ts';
import { isCreatable, nameMember } from '../fields.ts';
import { findByName } from '../finder.ts';
import { createdId } from '../fixture.ts';
import { nameOf, readUntil } from './probe.ts';

/** A create that is answered 2xx leaves a record that can be found and read. */
export const createStores: Check = {
  id: 'record/create',
  title: 'a created record can be found and read under its name',
  requirement: 'OP-{family}-C',
  level: 'stated',
  appliesTo: isCreatable,
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const { name: family, family: shape } = context;
    const probe = await context.fixture().then(
      (fixture) => fixture,
      (fault) => (fault instanceof Blocked ? undefined : Promise.reject(fault)),
    );
    if (probe !== undefined) {
      context.witness('created');
      const member = nameMember(family, shape);
      if (!hasOp(shape, 'read') || member === undefined) return undefined;
      const { fits, record } = await readUntil(context, probe, (held) => held[member] === nameOf(context, probe));
      if (!fits)
        throw new CheckFailure(`${member} ${nameOf(context, probe)}`, `${member} ${JSON.stringify(record?.[member])}`);
      return undefined;
    }
    const sent = context.payload();
    const created = await context.send('create', { fields: sent });
    if (isForbidden(created)) throw new Blocked(`no permission to create: ${answerText(created)}`);
    if (!isSuccess(created)) {
      throw new Blocked(`the target refuses a create with the listed fields: ${answerText(created)}`);
    }
    const name = String(sent[nameMember(family, shape) ?? 'name'] ?? '');
    const found = await createdId(context, family, created, name);
    const listed = await findByName(context, family, name);
    throw new CheckFailure(
      `the record "${name}" under its id and in the list`,
      `${answerText(created)}; id ${found?.id ?? 'not given'} is not readable; ${listed.length} listed under that name`,
    );
  },
};
