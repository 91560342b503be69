import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { isDotSegment } from '../../lib/wire/request.ts';
import { mustSucceed, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { failure, NotTestable, tooLittle } from '../kit/fault.ts';
import { freeText, isGone, memberFailure, nameOf, readUntil, shown, updateFields } from '../kit/record/record-reads.ts';
import { xmlRecords } from '../kit/record/xml-record.ts';
import { isReadable, onReads, onWrites, showsAll } from './common.ts';
import { variantsOf } from './operations.ts';

const MOST_NODES = 5;

const readsByName: Check['appliesTo'] = (family) => hasOp(family, 'readByName') && hasOp(family, 'list');

/** False for a record that is refused because it was removed since it was listed: then no list has it. */
async function isStillListed(context: CheckContext, answer: Exchange, id: string | undefined): Promise<boolean> {
  if (isSuccess(answer)) return true;
  const list = await context.send('list');
  return !isSuccess(list) || (entriesOf(list) ?? []).some((entry) => idOf(entry) === id);
}

/** What a read by name answers for some entries of the list; those that were removed since are left out. */
async function* readByNames(context: CheckContext) {
  const entries = entriesOf(prerequisite(await context.send('list'))) ?? [];
  if (entries.length === 0) throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
  let isNamed = false;
  for (const entry of entries.slice(0, MOST_NODES)) {
    const id = idOf(entry);
    // Which members an entry shows is not shown.
    const isRead = entry['name'] === undefined && id !== undefined && hasOp(context.family, 'read');
    const { name } = (isRead ? recordOf(await context.send('read', { id })) : entry) ?? {};
    if (typeof name !== 'string' || isDotSegment(name)) continue;
    isNamed = true;
    const answer = await context.send('readByName', { name });
    if (!(await isStillListed(context, answer, id))) continue;
    mustSucceed(answer, `the record named ${name}`, 'record');
    yield { id, name, answer, record: recordOf(answer) };
  }
  // Under which member a record shows its name is not shown ("Gaps in the field model").
  if (!isNamed) throw new NotTestable('no listed record shows a name that a path can hold', 'records that show a name');
}

const readByName: Check = {
  ...onReads,
  id: 'node/by-name',
  title: 'a listed record is readable by its name',
  requirement: 'OP-{family}-RN',
  appliesTo: readsByName,
  exercises: ['readByName'],
  async run(context) {
    const names: string[] = [];
    for await (const { name, record } of readByNames(context)) {
      const seen = record?.['name'];
      if (seen !== undefined && seen !== name)
        throw memberFailure('readByName', 'name', seen, `the record named ${name}`);
      names.push(name);
      context.witness('records');
    }
    // The beginning of a name is the name of nobody. The first part alone is cut: a domain may be left out of a name.
    const begin = names[0]?.split('.')[0]?.slice(0, -1) ?? '';
    if (begin === '' || isDotSegment(begin) || names.includes(begin)) return;
    const answer = await context.send('readByName', { name: begin });
    const seen = isSuccess(answer) ? recordOf(answer)?.['name'] : undefined;
    if (names.includes(seen as string))
      throw memberFailure('readByName', 'name', seen, `no record named ${begin}`, {
        observed: `that of ${shown(seen)}`,
      });
  },
};

const sameByNameAndId: Check = {
  ...onReads,
  id: 'node/by-name-and-id',
  title: 'a read by name shows the same record as a read by id',
  requirement: 'SPC-NODE',
  appliesTo: (family, table) => readsByName(family, table) && hasOp(family, 'read'),
  exercises: ['readByName', 'read'],
  async run(context) {
    // Some members change from one read to the next; those that say which record it is do not.
    const members = ['id', 'name', ...(vendorFacts(context.family.name).identifying ?? [])];
    for await (const { id, name, record: byName } of readByNames(context)) {
      if (id === undefined) continue;
      const byId = recordOf(mustSucceed(await context.send('read', { id }), `the record ${id}`, 'record'));
      // A read by id that shows another record is wrong by itself.
      if (![id, undefined].includes(idOf(byId))) continue;
      for (const member of members) {
        const [one, other] = [shown(byId?.[member]), shown(byName?.[member])];
        // Which members a read by name shows is not shown.
        if (one !== other && byName?.[member] !== undefined)
          throw memberFailure('readByName', member, byName?.[member], `${member} ${one}, as by id`, {
            observed: `${other} by name`,
          });
      }
      const inXml = await context.send('readByName', { name, headers: { accept: 'application/xml' } });
      const seen = isSuccess(inXml) ? idOf(xmlRecords(inXml.body)[0]) : undefined;
      if (seen !== undefined && seen !== id)
        throw memberFailure('readByName', 'id', seen, `id ${id}, as by id`, { observed: `${seen} by name, in XML` });
      context.witness('pairs');
    }
  },
};

/** The first letter or digit of a path segment that is in no escape, as an escape: both address the same (RFC 3986, section 6.2.2.2). */
const escaped = (segment: string): string =>
  segment.replace(
    /^((?:%..|[^A-Za-z0-9%])*)([A-Za-z0-9])/,
    (_, before: string, letter: string) => `${before}%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const readByEscapedName: Check = {
  ...onReads,
  id: 'node/by-escaped-name',
  title: 'a name with a percent-encoded letter in its address is that name',
  requirement: 'OP-{family}-RN',
  level: 'implied',
  appliesTo: readsByName,
  dependsOn: ['node/by-name'],
  restsOn: ['node/by-name'],
  exercises: ['readByName'],
  async run(context) {
    for await (const { id, name, answer } of readByNames(context)) {
      const path = answer.request.path.replace(/[^/]+$/, escaped);
      if (path === answer.request.path) continue;
      const other = mustSucceed(
        await context.raw({ ...answer.request, path }),
        `the record named ${name}, as with its name as it is`,
        'record',
      );
      const seen = idOf(recordOf(other));
      if (id !== undefined && seen !== undefined && seen !== id)
        throw memberFailure('readByName', 'id', seen, `id ${id}, as with its name as it is`);
      context.witness('records');
    }
  },
};

const BY_NAME = ['updateByName', 'deleteByName'] as const;

const writeByName = checkOfEach({
  ...onWrites,
  id: 'named/write',
  title: 'a write by name changes or removes the record of that name',
  requirement: opRequirementId('{family}', 'updateByName'),
  appliesTo: (family, table) => isReadable(family, table) && BY_NAME.some((op) => hasOp(family, op)),
  variants: (family) => variantsOf(family, BY_NAME),
  exercises: BY_NAME,
  async run(context, operation) {
    const own = await context.fixture();
    const name = nameOf(context, own);
    const wrong = (expected: string, observed: string) =>
      failure('no-effect', operation, 'record', { expected, observed });
    if (operation === 'deleteByName') {
      mustSucceed(await context.send(operation, { name }), 'the delete taken');
      const isLeft = !(await isGone(context, own));
      if (isLeft) context.ledger.adopt(own);
      if (isLeft) throw wrong(`no record named ${name}`, 'it can still be read');
    } else {
      const changed = freeText(context, `by name ${context.run.prefix}`, own);
      mustSucceed(await context.send(operation, { name, fields: updateFields(own, changed) }), 'the update taken');
      const { fits, record } = await readUntil(context, own, (held) => showsAll(held, changed));
      if (!fits) throw wrong(shown(changed), shown(record));
    }
    context.witness('written');
  },
});

export const namedChecks: readonly Check[] = [readByName, sameByNameAndId, readByEscapedName, writeByName];
