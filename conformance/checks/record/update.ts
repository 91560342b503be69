import { hasOp } from '../../../lib/contract/types.ts';
import { idOf } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, checkOfEach } from '../../kit/check.ts';
import { holds } from '../../kit/contains-subset.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, sentFields } from '../../kit/fields.ts';
import { findByName } from '../../kit/record/finder.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { freeText, nameOf, readRecord, readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';

const updatable: Check['appliesTo'] = (family) =>
  isCreatable(family) && hasOp(family, 'update') && hasOp(family, 'read');

const noEffect = (expected: string, observed: string) =>
  new CheckFailure({ expected, observed, about: { kind: 'no-effect', operation: 'update', subject: 'record' } });

/** An update that is answered 2xx changes the record. */
export const updateStores: Check = {
  id: 'record/update',
  title: 'an updated record shows its new text',
  requirement: 'OP-{family}-U',
  level: 'stated',
  appliesTo: updatable,
  dependsOn: ['record/create'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    const changes = freeText(context, `changed ${context.run.prefix}`);
    mustSucceed(await context.send('update', { id: own.id, fields: updateFields(own, changes) }), 'the update taken');
    const { fits, record } = await readUntil(context, own, (held) => holds(held, changes));
    if (!fits) throw noEffect(`after the update ${shown(changes)}`, shown(record));
    context.witness('changed');
    return undefined;
  },
};

/** An update leaves its siblings alone. */
export const updateSparesSiblings: Check = {
  id: 'record/update-siblings',
  title: 'an update leaves other records as they are',
  requirement: 'OP-{family}-U',
  level: 'stated',
  appliesTo: updatable,
  dependsOn: ['record/update'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context) {
    const [before, own, after] = [await context.fixture(), await context.fixture(), await context.fixture()];
    const siblings = [before, after];
    const held = await Promise.all(siblings.map(async (sibling) => (await readRecord(context, sibling)).record));
    const changes = freeText(context, `changed alone ${context.run.prefix}`);
    mustSucceed(await context.send('update', { id: own.id, fields: updateFields(own, changes) }), 'the update taken');
    const { fits } = await readUntil(context, own, (record) => holds(record, changes));
    if (!fits) throw noEffect('the update to show', 'it does not');
    for (const [index, sibling] of siblings.entries()) {
      const { record } = await readRecord(context, sibling);
      for (const [member] of sentFields(context.family, 'update')) {
        if (shown(record?.[member]) === shown(held[index]?.[member])) continue;
        throw memberFailure({
          operation: 'update',
          member,
          seen: record?.[member],
          expected: `${member} of the sibling ${sibling.id} unchanged: ${shown(held[index]?.[member])}`,
          subject: 'other records',
        });
      }
      context.witness('siblings');
    }
    return undefined;
  },
};

/** An update creates nothing and keeps the id. */
export const updateCreatesNone: Check = {
  id: 'record/update-creates-none',
  title: 'an update by PUT changes its record in place and creates no second one',
  requirement: 'CNV-VERB',
  level: 'stated',
  appliesTo: updatable,
  dependsOn: ['record/update'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    const changes = freeText(context, nameOf(context, own) === '' ? '' : `changed again ${context.run.prefix}`);
    const kept = updateFields(own, 'name' in own.sent ? changes : {});
    mustSucceed(await context.send('update', { id: own.id, fields: kept }), 'the update taken');
    const { record } = await readUntil(context, own, (held) => holds(held, 'name' in own.sent ? changes : {}));
    if (idOf(record) !== own.id)
      throw new CheckFailure({
        expected: `the record under its id ${own.id}`,
        observed: shown(record),
        about: { kind: 'value', operation: 'update', subject: 'record' },
      });
    const found = await findByName(context, context.family.name, nameOf(context, own));
    const extra = found.filter((id) => id !== own.id);
    for (const id of extra) context.ledger.adopt(context.family.name, id, nameOf(context, own));
    if (extra.length > 0) {
      throw new CheckFailure({
        expected: `one record named ${nameOf(context, own)}`,
        observed: `${found.length} of them`,
        about: { kind: 'records', operation: 'update', subject: 'record' },
        difference: { missing: [], extra },
      });
    }
    context.witness('records', found.length);
    return undefined;
  },
};

/** Each listed field that an update carries is stored. */
export const updateAllFields = checkOfEach<string>({
  id: 'record/update-fields',
  title: 'each listed field that an update carries is stored',
  requirement: 'PAY-U',
  level: 'stated',
  appliesTo: updatable,
  variants: (family) =>
    sentFields(family, 'update').map(([member]) => ({
      name: member,
      data: member,
      ...(isServerFilled(family, member) ? { level: 'gap' as const } : {}),
    })),
  dependsOn: ['record/update'],
  exercises: ['update'],
  needs: 'own-data',
  async run(context, member) {
    const { sent, record, exchange } = await context.run.shared('full-update', async (scope) => {
      const own = await scope.fixture(context.run.values.samples(0));
      const fields = { ...scope.payload(context.run.values.samples(1)), id: own.id };
      const answer = await scope.send('update', { id: own.id, fields });
      const seen = await readUntil({ ...context, send: scope.send }, own, (held) =>
        Object.entries(fields).every(
          ([name, value]) => isServerFilled(context.family, name) || holds(held[name], value),
        ),
      );
      return { sent: fields as Record<string, unknown>, record: seen.record, exchange: answer };
    });
    context.evidence.add(exchange);
    mustSucceed(exchange, 'an update with every listed field taken');
    if (sent[member] === undefined)
      return { verdict: 'not-applicable', reason: `no value to send for ${member} is known` };
    context.observe('sent', sent[member]);
    context.observe('answered', record?.[member] ?? null);
    if (record !== undefined) context.witness('compared');
    if (!holds(record?.[member], sent[member])) {
      throw memberFailure({
        operation: 'update',
        member,
        seen: record?.[member],
        expected: `${member} as sent: ${shown(sent[member])}`,
        observed: `${member}: ${shown(record?.[member])}`,
      });
    }
    return undefined;
  },
});
