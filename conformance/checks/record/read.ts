import { hasOp } from '../../../lib/contract/types.ts';
import { entriesOf, idOf, isForbidden, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { mustSucceed, prerequisite } from '../../kit/answer.ts';
import type { Check } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { isCreatable, nameMember } from '../../kit/fields.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { nameOf, readRecord, shown } from '../../kit/record/record-reads.ts';
import { tooLittle } from '../../kit/too-little.ts';

/** Records read one by one from a list. */
const MOST_READ = 5;
const ROUNDS = 2;

/** Reads that cross each other give each the record that was asked for. */
export const readOwn: Check = {
  id: 'record/read',
  title: 'a read by id shows its own record, also while siblings are read',
  requirement: 'OP-{family}-R',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  exercises: ['read'],
  needs: 'own-data',
  async run(context) {
    const siblings = [await context.fixture(), await context.fixture(), await context.fixture()];
    const member = nameMember(context.family) ?? 'name';
    const asked = Array.from({ length: ROUNDS }, () => siblings).flat();
    const answers = await Promise.all(asked.map((own) => readRecord(context, own)));
    for (const [index, own] of asked.entries()) {
      const { exchange, record } = answers[index] ?? (await readRecord(context, own));
      mustSucceed(exchange, `the record ${own.id}`, 'record');
      const held = { id: idOf(record), [member]: record?.[member] };
      if (held.id !== own.id || held[member] !== nameOf(context, own)) {
        throw new CheckFailure({
          expected: `the record ${own.id} named ${nameOf(context, own)}`,
          observed: shown(held),
          about: { kind: 'value', operation: 'read', subject: 'record' },
        });
      }
      context.witness('read');
    }
    return undefined;
  },
};

/** What a list shows can be read, and is the same record. */
export const readListed: Check = {
  id: 'record/read-listed',
  title: 'each id of the list is readable',
  requirement: 'OP-{family}-R',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'read') && hasOp(family, 'list'),
  exercises: ['read'],
  needs: 'read',
  async run(context) {
    if (context.run.mayCreate()) await context.fixture();
    const list = prerequisite(await context.send('list'));
    let denied: number | undefined;
    let isRead = false;
    for (const entry of (entriesOf(list) ?? []).slice(0, MOST_READ)) {
      const id = idOf(entry);
      if (id === undefined) continue;
      const read = await context.send('read', { id });
      const record = isSuccess(read) ? recordOf(read) : undefined;
      if (
        idOf(record) === id &&
        (entry['name'] === undefined || (record?.['name'] ?? entry['name']) === entry['name'])
      ) {
        context.witness('read');
        isRead = true;
        continue;
      }
      // Somebody may have removed or renamed it between the two requests: only what is still listed so counts.
      const again = (await listEntries(context, context.family.name)).find((listed) => idOf(listed) === id);
      if (again?.['name'] !== entry['name'] || again === undefined) continue;
      // Permissions are not shown: there may be one for each record.
      if (isForbidden(read)) {
        denied = read.status;
        continue;
      }
      throw new CheckFailure({
        expected: `GET of the listed id ${id} to give its record ${shown(entry['name'])}`,
        observed: `${read.status} ${shown({ id: idOf(record), name: record?.['name'] })}`,
        about: { kind: isSuccess(read) ? 'value' : 'refused', operation: 'read', subject: 'record' },
      });
    }
    if (denied !== undefined && !isRead) throw new Blocked(`no permission to read: ${denied}`);
    if ((entriesOf(list) ?? []).length === 0)
      throw tooLittle(context, { why: 'the list holds no record to read', needs: 'a record' });
    return undefined;
  },
};
