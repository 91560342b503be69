import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { mustSucceed, prerequisite } from '../kit/answer.ts';
import type { Check, CheckContext } from '../kit/check.ts';
import { memberFailure } from '../kit/record/member-failure.ts';
import { shown } from '../kit/record/record-reads.ts';
import { xmlRecords } from '../kit/record/xml-record.ts';
import { tooLittle } from '../kit/too-little.ts';

const MOST_NODES = 5;

const readsByName: Check['appliesTo'] = (family) => hasOp(family, 'readByName') && hasOp(family, 'list');

/** False for a record that is refused because it was removed since it was listed: then no list has it. */
async function isListed(context: CheckContext, answer: Exchange, name: string): Promise<boolean> {
  if (isSuccess(answer)) return true;
  const list = await context.send('list');
  return !isSuccess(list) || (entriesOf(list) ?? []).some((entry) => entry['name'] === name);
}

/** A record is read by its name. */
const readByName: Check = {
  id: 'node/by-name',
  title: 'a listed record is readable by its name',
  requirement: 'OP-{family}-RN',
  level: 'stated',
  appliesTo: readsByName,
  exercises: ['readByName'],
  needs: 'read',
  async run(context) {
    const list = prerequisite(await context.send('list'));
    for (const entry of (entriesOf(list) ?? []).slice(0, MOST_NODES)) {
      const name = entry['name'];
      if (typeof name !== 'string') continue;
      const answer = await context.send('readByName', { name });
      if (!(await isListed(context, answer, name))) continue;
      const record = recordOf(mustSucceed(answer, `the record named ${name}`, 'record'));
      if (record?.['name'] !== undefined && record['name'] !== name) {
        throw memberFailure({
          operation: 'readByName',
          member: 'name',
          seen: record['name'],
          expected: `the record named ${name}`,
        });
      }
      context.witness('records');
    }
    if ((entriesOf(list) ?? []).length === 0)
      throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
    return undefined;
  },
};

/** By name and by id it is the same record. */
const sameByNameAndId: Check = {
  id: 'node/by-name-and-id',
  title: 'a read by name shows the same record as a read by id',
  requirement: 'SPC-NODE',
  level: 'stated',
  appliesTo: (family, table) => readsByName(family, table) && hasOp(family, 'read'),
  exercises: ['readByName', 'read'],
  needs: 'read',
  async run(context) {
    const list = prerequisite(await context.send('list'));
    for (const entry of (entriesOf(list) ?? []).slice(0, MOST_NODES)) {
      const [id, name] = [idOf(entry), entry['name']];
      if (id === undefined || typeof name !== 'string') continue;
      const byId = recordOf(mustSucceed(await context.send('read', { id }), `the record ${id}`, 'record'));
      const answer = await context.send('readByName', { name });
      if (!(await isListed(context, answer, name))) continue;
      const byName = recordOf(mustSucceed(answer, `the record named ${name}`, 'record'));
      // Some members change from one read to the next; those that say which record it is do not.
      for (const member of ['id', 'name', ...(vendorFacts(context.family.name).identifying ?? [])]) {
        if (shown(byId?.[member]) !== shown(byName?.[member])) {
          throw memberFailure({
            operation: 'readByName',
            member,
            seen: byName?.[member],
            expected: `${member} ${shown(byId?.[member])}, as by id`,
            observed: `${shown(byName?.[member])} by name`,
          });
        }
      }
      const inXml = await context.send('readByName', { name, headers: { accept: 'application/xml' } });
      const seen = isSuccess(inXml) ? idOf(xmlRecords(inXml.body)[0]) : undefined;
      if (seen !== undefined && seen !== id)
        throw memberFailure({
          ...{ operation: 'readByName', member: 'id', seen },
          ...{ expected: `id ${id}, as by id`, observed: `${seen} by name, in XML` },
        });
      context.witness('pairs');
    }
    if ((entriesOf(list) ?? []).length === 0)
      throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
    return undefined;
  },
};

export const nodeChecks: readonly Check[] = [readByName, sameByNameAndId];
