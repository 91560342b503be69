import { hasOp } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { present } from '../../../lib/present.ts';
import { entriesOf, idOf, isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { answerText, prerequisite } from '../../kit/answer.ts';
import type { Check } from '../../kit/check.ts';
import { Blocked, failure, mustBeBlocked, tooLittle } from '../../kit/fault.ts';
import { nameMember } from '../../kit/fields.ts';
import { until } from '../../kit/poller.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { nameOf, readEntries, readRecord, shown } from '../../kit/record/record-reads.ts';
import { create, read, together } from '../../plans/make.ts';
import { change, LISTED } from '../../plans/obvious/steps.ts';
import { isReadable, onReads } from '../common.ts';
import { stepCheck } from './writes.ts';

const SIBLINGS = ['one', 'two', 'three'] as const;

export const readOwn = stepCheck({
  id: 'record/read',
  title: 'a read by id shows its own record, also while siblings are read',
  requirement: 'OP-{family}-R',
  appliesTo: isReadable,
  exercises: ['read'],
  plan: ({ family }) => ({
    steps: [...SIBLINGS.map((as) => create(as)), together(...[...SIBLINGS, ...SIBLINGS].map((who) => read(who)))],
    isAbout: ({ operation, subject }) =>
      (operation === 'read' && ['record', 'member id'].includes(subject)) || subject === `member ${nameMember(family)}`,
    ...{ isOwn: true, subject: 'record' },
  }),
});

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
    const own = context.run.mayCreate() ? await context.fixture().catch(mustBeBlocked) : undefined;
    const family = context.family.name;
    const listed = entriesOf(prerequisite(await context.send('list'))) ?? [];
    const findOwn = async () =>
      own && (await listEntries(context, family, nameOf(context, own))).find((entry) => idOf(entry) === own.id);
    // Those of other checks may be gone before they are read: its own stays.
    const entries = present(own && (await context.eventually(findOwn)), ...listed);
    const ids = entries.slice(0, MOST_READ).flatMap((entry) => idOf(entry) ?? []);
    const atOnce = await Promise.all(ids.map(async (id) => (await readRecord(context, { family, id })).record));
    let denied: number | undefined;
    let isRead = false;
    for await (const { id, entry, exchange, record } of readEntries(context, entries, MOST_READ)) {
      const { name } = entry;
      if (idOf(record) === id && (name === undefined || (record?.['name'] ?? name) === name)) {
        const beside = atOnce[ids.indexOf(id)];
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
        observed:
          record === undefined
            ? answerText(exchange)
            : `${exchange.status} ${shown({ id: idOf(record), name: record['name'] })}`,
        ...defined({ onlyIf: someOnly(atOnce.map((each, at) => idOf(each) === ids[at])) }),
      });
    }
    if (denied !== undefined && !isRead) throw new Blocked(`no permission to read: ${denied}`);
    if (entries.length === 0) throw tooLittle(context, { why: 'the list holds no record to read', needs: 'a record' });
  },
};

export const idsStay = stepCheck({
  id: 'record/ids',
  title: 'ids are texts, unique, and the same in create, read, list and update',
  requirement: 'RES-ID',
  appliesTo: isReadable,
  plan: (context) => {
    const looks = [...SIBLINGS.map((who) => read(who)), ...(hasOp(context.family, 'list') ? [LISTED] : [])];
    const made = [...SIBLINGS.map((as) => create(as)), ...looks];
    const changed = [...made, change(context, 'one', `id kept ${context.run.prefix}`), ...looks];
    return [changed, made].map((steps) => ({ steps, isAbout: ({ subject }) => subject === 'member id', isOwn: true }));
  },
});
