import { type Family, type Field, fieldsOf } from '../../../lib/contract/types.ts';
import { isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import { checkOfEach, type Fixture } from '../../kit/check.ts';
import { Blocked } from '../../kit/fault.ts';
import { isServerFilled, nameMember, sentFields } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { nameOf, readRecord, readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';
import { isShownAs } from '../../model/value.ts';
import { isUpdatable, onRecords } from '../common.ts';

/** Values of a member that many deployments fill in themselves: each differs from the one before it. */
function valuesOf({ type, form }: Field): readonly unknown[] {
  if (form === 'url')
    return [
      'https://portal.example/first',
      'https://portal.example/second?a=1&b=%2B#c',
      'https://portal.example/first',
    ];
  if (type === 'object[]')
    return [[{ name: 'cfm-a' }], [{ name: 'cfm-a' }, { name: 'cfm-b' }], [{ name: 'cfm-b' }], []];
  return [];
}

const filled = (family: Family): readonly string[] =>
  sentFields(family, 'update')
    .map(([member]) => member)
    .filter((member) => isServerFilled(family, member) && valuesOf(fieldsOf(family)[member] as Field).length > 0);

/** A deployment may fill in such a member by itself; one that takes it from a create takes it from an update. */
export const filledFields = checkOfEach<string>({
  ...onRecords,
  id: 'record/filled-fields',
  title: 'a field that a create sets and a read shows is set by updates too',
  requirement: 'PAY-U',
  appliesTo: (family, table) => isUpdatable(family, table) && filled(family).length > 0,
  variants: (family) => filled(family).map((member) => ({ name: member, data: member })),
  dependsOn: ['record/create', 'record/update'],
  async run(context, member) {
    const [first, ...later] = valuesOf(fieldsOf(context.family)[member] as Field);
    const isShown = (value: unknown) => (record: JsonObject) => isShownAs(record[member], value, 'json');
    let own: Fixture;
    try {
      own = await context.fixture({ [member]: first });
    } catch (fault) {
      if (!(fault instanceof Blocked)) throw fault;
      return { verdict: 'not-applicable', reason: `the target refuses such a ${member}` };
    }
    const { record } = await readRecord(context, own);
    if (record === undefined || !isShown(first)(record))
      return { verdict: 'not-applicable', reason: `the target fills in ${member} by itself` };
    let compared = 0;
    const name = nameMember(context.family);
    // A rename at last: it sends the member as before, and has to leave it.
    const renamed = name === undefined ? [] : [{ [member]: first, [name]: `${nameOf(context, own)}b` }];
    for (const [at, changes] of [...later.map((value) => ({ [member]: value })), ...renamed].entries()) {
      const [last, value] = [[first, ...later][at], changes[member]];
      if (!isSuccess(await context.send('update', { id: own.id, fields: updateFields(own, changes) }))) continue;
      // A server may add to a list that is sent empty; what was there before is not what it adds.
      const isEmptied = (held: JsonObject) => !isShown(last)(held);
      const isEmpty = Array.isArray(value) && value.length === 0;
      const seen = await readUntil(context, own, isEmpty ? isEmptied : isShown(value));
      compared += 1;
      context.witness('compared');
      if (!seen.fits) throw memberFailure('update', member, seen.record?.[member], `${member} ${shown(value)}`);
    }
    return compared > 0
      ? undefined
      : { verdict: 'not-applicable', reason: `the target refuses every update of ${member}` };
  },
});
