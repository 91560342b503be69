import { hasOp } from '../../lib/contract/types.ts';
import { entriesOf, idOf, isSuccess, mustSucceed, recordOf } from '../answer.ts';
import { type Check, CheckFailure, Inconclusive } from '../check.ts';
import { isCreatable } from '../fields.ts';
import { listSchema } from '../schemas.ts';
import { isListed, shown } from './probe.ts';

/** The list operation answers with entries. */
export const listAnswers: Check = {
  id: 'record/list',
  title: 'the family lists its records',
  requirement: 'OP-{family}-L',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'list'),
  exercises: ['list'],
  needs: 'read',
  async run(context) {
    const list = mustSucceed(await context.send('list'), 'a list');
    const entries = entriesOf(list);
    if (entries === undefined) throw new CheckFailure('a SearchResult with resources', shown(list.json ?? list.body));
    context.witness('entries', entries.length);
    if (entries.length > 0 || context.client.options.mode === 'read-only' || !isCreatable(context.family)) {
      return undefined;
    }
    const own = await context.fixture();
    const seen = await context.eventually(async () => ((await isListed(context, own)) ? true : undefined));
    if (seen === undefined) throw new CheckFailure('the list to show a created record', 'it is not there');
    context.witness('entries');
    return undefined;
  },
};

/** The envelope of a list answer. */
export const listEnvelope: Check = {
  id: 'body/list-envelope',
  title: 'a list answer is a SearchResult with a list of resources and, where there is more, a link to the next page',
  requirement: 'LST-ENV',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'list'),
  exercises: ['list'],
  needs: 'read',
  async run(context) {
    for (const list of [{}, { size: 1 }]) {
      const answer = await context.send('list', { list });
      if (!isSuccess(answer)) continue;
      const parsed = listSchema.safeParse(answer.json);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new CheckFailure(
          'the list envelope',
          `${issue?.path.join('.')}: ${issue?.message}; ${shown(answer.json ?? answer.body)}`,
        );
      }
      context.witness('envelopes');
    }
    return undefined;
  },
};

/** What was created is listed. */
export const createIsListed: Check = {
  id: 'record/created-is-listed',
  title: 'a created record is in the list',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'list'),
  dependsOn: ['record/create'],
  exercises: ['create', 'list'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture();
    const seen = await context.eventually(async () => ((await isListed(context, own)) ? true : undefined));
    if (seen === undefined) throw new CheckFailure(`the record ${own.id} in the list`, 'it is readable and not listed');
    context.witness('listed');
    return undefined;
  },
};

/** A list entry and a read of its record agree. */
export const listAgrees: Check = {
  id: 'record/list-agrees',
  title: 'the members of a list entry are those of its record',
  requirement: 'LIST-GET',
  level: 'implied',
  appliesTo: (family) => hasOp(family, 'list') && hasOp(family, 'read'),
  needs: 'read',
  async run(context) {
    const own =
      isCreatable(context.family) && context.client.options.mode !== 'read-only' ? await context.fixture() : undefined;
    const list = mustSucceed(await context.send('list', { list: { size: 5 } }), 'a list');
    const entries = entriesOf(list) ?? [];
    if (entries.length === 0 && own === undefined) throw new Inconclusive('the list holds no record');
    for (const entry of entries) {
      const id = idOf(entry);
      const read = id === undefined ? undefined : await context.send('read', { id });
      const record = read !== undefined && isSuccess(read) ? recordOf(read) : undefined;
      if (record === undefined) continue;
      const shared = Object.keys(entry).filter((member) => member !== 'link' && member in record);
      const unlike = shared.filter((member) => shown(entry[member]) !== shown(record[member]));
      if (unlike.length > 0) {
        const after = await context.send('list', { list: { size: 5 } });
        const again = entriesOf(after)?.find((listed) => idOf(listed) === id);
        if (again === undefined || shown(again) !== shown(entry)) continue;
        throw new CheckFailure(
          `the entry of ${id} and its record to agree`,
          unlike.map((member) => `${member} ${shown(entry[member])} and ${shown(record[member])}`).join('; '),
        );
      }
      context.witness('compared', shared.length);
    }
    return undefined;
  },
};
