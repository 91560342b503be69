import { hasOp, type Op } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { entriesOf, idOf, isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { mustSucceed, prerequisite } from '../../kit/answer.ts';
import type { Check } from '../../kit/check.ts';
import { Blocked, failure, mustBeBlocked, tooLittle } from '../../kit/fault.ts';
import { nameMember } from '../../kit/fields.ts';
import { until } from '../../kit/poller.ts';
import { listEntries } from '../../kit/record/finder.ts';
import {
  freeText,
  memberFailure,
  nameOf,
  readEntries,
  readRecord,
  shown,
  updateFields,
} from '../../kit/record/record-reads.ts';
import { isReadable, onReads, onRecords } from '../common.ts';

export const readOwn: Check = {
  ...onRecords,
  id: 'record/read',
  title: 'a read by id shows its own record, also while siblings are read',
  requirement: 'OP-{family}-R',
  appliesTo: isReadable,
  exercises: ['read'],
  async run(context) {
    const siblings = [await context.fixture(), await context.fixture(), await context.fixture()];
    const member = nameMember(context.family) ?? 'name';
    const reads = [...siblings, ...siblings].map(async (own) => ({ own, ...(await readRecord(context, own)) }));
    for (const { own, exchange, record } of await Promise.all(reads)) {
      mustSucceed(exchange, `the record ${own.id}`, 'record');
      const held = { id: idOf(record), [member]: record?.[member] };
      const name = nameOf(context, own);
      if (held.id !== own.id || held[member] !== name)
        throw failure('value', 'read', 'record', {
          expected: `the record ${own.id} named ${name}`,
          observed: shown(held),
        });
      context.witness('read');
    }
  },
};

const MOST_READ = 5;

/** Which of the records read at once are not read right, as a clause; undefined if all of them. `areRight`: in the order of the list. */
function someOnly(areRight: readonly boolean[]): string | undefined {
  const wrong = areRight.filter((isRight) => !isRight).length;
  if (wrong === 0 || wrong === areRight.length) return undefined;
  const isAfterFirst = areRight[0] === true && wrong > 1 && wrong === areRight.length - 1;
  return isAfterFirst
    ? 'the record is not the first of the list'
    : `it is not one of the ${areRight.length - wrong} of ${areRight.length} records that are read right`;
}

export const readListed: Check = {
  ...onReads,
  id: 'record/read-listed',
  title: 'each id of the list is readable',
  requirement: 'OP-{family}-R',
  appliesTo: (family) => hasOp(family, 'read') && hasOp(family, 'list'),
  exercises: ['read'],
  async run(context) {
    // Without one of its own, it reads those of others.
    if (context.run.mayCreate()) await context.fixture().catch(mustBeBlocked);
    const entries = entriesOf(prerequisite(await context.send('list'))) ?? [];
    const ids = entries.slice(0, MOST_READ).flatMap((entry) => idOf(entry) ?? []);
    const family = context.family.name;
    const together = await Promise.all(ids.map(async (id) => (await readRecord(context, { family, id })).record));
    let denied: number | undefined;
    let isRead = false;
    for await (const { id, entry, exchange, record } of readEntries(context, entries, MOST_READ)) {
      const { name } = entry;
      if (idOf(record) === id && (name === undefined || (record?.['name'] ?? name) === name)) {
        const beside = together[ids.indexOf(id)];
        const answered = idOf(beside);
        if (answered !== undefined && answered !== id && ids.includes(answered))
          throw failure('value', 'read', 'record', {
            expected: `GET of the listed id ${id} to give its record`,
            observed: `200 ${shown({ id: answered, name: beside?.['name'] })}`,
            onlyIf: 'several records are read at the same time',
          });
        context.witness('read');
        isRead = true;
        continue;
      }
      // It may have been removed or renamed, and the list shows that late: only what stays listed so counts.
      const isOtherwise = await until(context, async () => {
        const again = (await listEntries(context, context.family.name)).find((listed) => idOf(listed) === id);
        return again === undefined || again['name'] !== name;
      });
      // Permissions are not shown: there may be one for each record.
      if (!isOtherwise && isForbidden(exchange)) denied = exchange.status;
      // Of an answer that is longer than what is kept, nobody can tell what it shows.
      if (isOtherwise || isForbidden(exchange) || exchange.cut === true) continue;
      throw failure(isSuccess(exchange) ? 'value' : 'refused', 'read', 'record', {
        expected: `GET of the listed id ${id} to give its record${name === undefined ? '' : ` ${shown(name)}`}`,
        observed: `${exchange.status} ${shown({ id: idOf(record), name: record?.['name'] })}`,
        ...defined({ onlyIf: someOnly(together.map((each, at) => idOf(each) === ids[at])) }),
      });
    }
    if (denied !== undefined && !isRead) throw new Blocked(`no permission to read: ${denied}`);
    if (entries.length === 0) throw tooLittle(context, { why: 'the list holds no record to read', needs: 'a record' });
  },
};

export const idsStay: Check = {
  ...onRecords,
  id: 'record/ids',
  title: 'ids are texts, unique, and the same in create, read, list and update',
  requirement: 'RES-ID',
  appliesTo: isReadable,
  async run(context) {
    const owns = [await context.fixture(), await context.fixture()];
    const ids = new Set(owns.map(({ id }) => id));
    if (ids.size < owns.length)
      throw failure('value', 'create', 'id unique', { expected: '2 different ids', observed: [...ids].join(', ') });
    for (const own of owns) {
      const idRead = async () => (await readRecord(context, own)).record?.['id'];
      const seen: (readonly [string, unknown, Op])[] = [['read', await idRead(), 'read']];
      const listed = await listEntries(context, context.family.name, nameOf(context, own));
      const entry = listed.find(({ id }) => String(id) === own.id);
      if (entry !== undefined) seen.push(['list', entry['id'], 'list']);
      if (hasOp(context.family, 'update')) {
        const fields = updateFields(own, freeText(context, `id kept ${context.run.prefix}`));
        if (isSuccess(await context.send('update', { id: own.id, fields })))
          seen.push(['read after an update', await idRead(), 'update']);
      }
      for (const [where, id, operation] of seen) {
        if (id !== own.id) throw memberFailure(operation, 'id', id, `the id ${shown(own.id)} in ${where}`);
        context.witness('ids');
      }
    }
  },
};
