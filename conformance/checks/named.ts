import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import { isDotSegment } from '../../lib/wire/request.ts';
import { mustSucceed, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { failure, mustBeBlocked, NotTestable, tooLittle } from '../kit/fault.ts';
import { nameMember } from '../kit/fields.ts';
import {
  freeText,
  isGone,
  memberFailure,
  nameOf,
  readRecord,
  readUntil,
  shown,
  updateFields,
} from '../kit/record/record-reads.ts';
import { xmlRecords } from '../kit/record/xml-record.ts';
import { isShownAs, parting } from '../model/value.ts';
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

/** The name of an own record with signs that addresses need escapes for, as an entry of the list; nothing where none may be made. */
async function ownEntry(context: CheckContext): Promise<readonly JsonObject[]> {
  const { family, run, payload } = context;
  const member = nameMember(family) ?? 'name';
  if (!run.mayCreate() || !hasOp(family, 'read')) return [];
  const text = run.values.adapt(member, `${payload()[member]} a&b`);
  const own = await context.fixture({ [member]: text }).catch(mustBeBlocked);
  return own === undefined ? [] : [{ id: own.id, name: nameOf(context, own) }];
}

/** What a read by name answers for some entries of the list; those that were removed since are left out. */
async function* readByNames(context: CheckContext) {
  const own = await ownEntry(context);
  const entries = [...own, ...(entriesOf(prerequisite(await context.send('list'))) ?? [])];
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
    for await (const { id, name } of readByNames(context)) {
      if (id === undefined) continue;
      const read = async () => recordOf(mustSucceed(await context.send('read', { id }), `the record ${id}`, 'record'));
      const byId = await read();
      const byName = recordOf(await context.send('readByName', { name }));
      const [again, isOwn] = [await read(), [id, undefined].includes(idOf(byId))];
      // A read by id that shows another record is wrong by itself. Which members a read by name shows is not shown, and some change meanwhile.
      const members = isOwn ? Object.keys(byName ?? {}).filter((each) => !/^links?$/.test(each)) : [];
      for (const member of members) {
        const [one, last, other] = [byId, again, byName].map((each) => each?.[member]);
        if (one === undefined || !isDeepStrictEqual(one, last) || isShownAs(other, one, 'json')) continue;
        const [path, expected, seen] = parting(member, one, other, 'json');
        const observed = `${shown(seen)} by name`;
        throw memberFailure('readByName', member, seen, `${path} ${shown(expected)}, as by id`, { observed });
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
    // A record whose name goes on is another one.
    const other = await context.fixture({ [nameMember(context.family) ?? 'name']: `${name}b` }).catch(mustBeBlocked);
    const wrong = (expected: string, observed: string, subject: 'record' | 'other records' = 'record') =>
      failure('no-effect', operation, subject, { expected, observed });
    const isDelete = operation === 'deleteByName';
    const changed = isDelete ? {} : freeText(context, `by name ${context.run.prefix}`, own);
    const input = isDelete ? {} : { fields: updateFields(own, changed) };
    mustSucceed(await context.send(operation, { name, ...input }), `the ${isDelete ? 'delete' : 'update'} taken`);
    if (isDelete && !(await isGone(context, own))) {
      context.ledger.adopt(own);
      throw wrong(`no record named ${name}`, 'it can still be read');
    }
    const seen = isDelete
      ? { fits: true, record: undefined }
      : await readUntil(context, own, (held) => showsAll(held, changed));
    if (!seen.fits) throw wrong(shown(changed), shown(seen.record));
    const { record } = other === undefined ? {} : await readRecord(context, other);
    if (other !== undefined && (record === undefined || (!isDelete && showsAll(record, changed))))
      throw wrong(`the record named ${name}b as it was`, shown(record), 'other records');
    context.witness('written');
  },
});

export const namedChecks: readonly Check[] = [readByName, sameByNameAndId, readByEscapedName, writeByName];
