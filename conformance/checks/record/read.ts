import { hasOp, type Op } from '../../../lib/contract/types.ts';
import { entriesOf, idOf, isForbidden, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import { mustSucceed, prerequisite } from '../../kit/answer.ts';
import type { Check } from '../../kit/check.ts';
import { Blocked, failure, mustBeBlocked } from '../../kit/fault.ts';
import { nameMember } from '../../kit/fields.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { freeText, nameOf, readRecord, shown, updateFields } from '../../kit/record/record-reads.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { isReadable, onReads, onRecords } from '../common.ts';

/** Records read one by one from a list. */
const MOST_READ = 5;
const ROUNDS = 2;

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
    const asked = Array.from({ length: ROUNDS }, () => siblings).flat();
    const answers = await Promise.all(asked.map((own) => readRecord(context, own)));
    for (const [index, own] of asked.entries()) {
      const { exchange, record } = answers[index] ?? (await readRecord(context, own));
      mustSucceed(exchange, `the record ${own.id}`, 'record');
      const held = { id: idOf(record), [member]: record?.[member] };
      if (held.id !== own.id || held[member] !== nameOf(context, own)) {
        throw failure('value', 'read', 'record', {
          expected: `the record ${own.id} named ${nameOf(context, own)}`,
          observed: shown(held),
        });
      }
      context.witness('read');
    }
  },
};

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
    const list = prerequisite(await context.send('list'));
    let denied: number | undefined;
    let isRead = false;
    const listed = (entriesOf(list) ?? []).slice(0, MOST_READ).flatMap((entry) => {
      const id = idOf(entry);
      return id === undefined ? [] : [{ entry, id }];
    });
    const readOf = async (id: string) => {
      const answer = await context.send('read', { id });
      return { answer, record: isSuccess(answer) ? recordOf(answer) : undefined };
    };
    const together = await Promise.all(listed.map(({ id }) => readOf(id)));
    for (const [at, { entry, id }] of listed.entries()) {
      const isRight = (record: JsonObject | undefined) =>
        idOf(record) === id && (entry['name'] === undefined || (record?.['name'] ?? entry['name']) === entry['name']);
      const beside = together[at]?.record;
      const { answer: read, record } = await readOf(id);
      if (isRight(record)) {
        const others = listed.map((other) => other.id);
        if (beside !== undefined && idOf(beside) !== id && others.includes(idOf(beside) ?? ''))
          throw failure('value', 'read', 'record', {
            expected: `GET of the listed id ${id} to give its record`,
            observed: `200 ${shown({ id: idOf(beside), name: beside['name'] })}`,
            onlyIf: 'several records are read at the same time',
          });
        context.witness('read');
        isRead = true;
        continue;
      }
      // It may have been removed or renamed between the two requests, or before, and the list shows that late: only what stays listed so counts.
      const isOtherwise = await context.eventually(async () => {
        const again = (await listEntries(context, context.family.name)).find((listed) => idOf(listed) === id);
        return again === undefined || again['name'] !== entry['name'] ? true : undefined;
      });
      if (isOtherwise) continue;
      // Permissions are not shown: there may be one for each record.
      if (isForbidden(read)) {
        denied = read.status;
        continue;
      }
      throw failure(isSuccess(read) ? 'value' : 'refused', 'read', 'record', {
        expected: `GET of the listed id ${id} to give its record ${shown(entry['name'])}`,
        observed: `${read.status} ${shown({ id: idOf(record), name: record?.['name'] })}`,
      });
    }
    if (denied !== undefined && !isRead) throw new Blocked(`no permission to read: ${denied}`);
    if ((entriesOf(list) ?? []).length === 0)
      throw tooLittle(context, { why: 'the list holds no record to read', needs: 'a record' });
  },
};

const RECORDS = 2;

export const idsStay: Check = {
  ...onRecords,
  id: 'record/ids',
  title: 'ids are texts, unique, and the same in create, read, list and update',
  requirement: 'RES-ID',
  appliesTo: isReadable,
  async run(context) {
    const owns = [];
    for (let count = 0; count < RECORDS; count += 1) owns.push(await context.fixture());
    const ids = new Set(owns.map(({ id }) => id));
    if (ids.size < owns.length)
      throw failure('value', 'create', 'id unique', {
        expected: `${RECORDS} different ids`,
        observed: [...ids].join(', '),
      });
    for (const own of owns) {
      const seen: (readonly [string, unknown, Op?])[] = [['read', (await readRecord(context, own)).record?.['id']]];
      const entry = (await listEntries(context, context.family.name, nameOf(context, own))).find(
        (listed) => String(listed['id']) === own.id,
      );
      if (entry !== undefined) seen.push(['list', entry['id'], 'list']);
      if (hasOp(context.family, 'update')) {
        const fields = updateFields(own, freeText(context, `id kept ${context.run.prefix}`));
        const updated = await context.send('update', { id: own.id, fields });
        if (isSuccess(updated))
          seen.push(['read after an update', (await readRecord(context, own)).record?.['id'], 'update']);
      }
      for (const [where, id, operation = 'read'] of seen) {
        if (id !== own.id) throw memberFailure(operation, 'id', id, `the id ${shown(own.id)} in ${where}`);
        context.witness('ids');
      }
    }
  },
};
