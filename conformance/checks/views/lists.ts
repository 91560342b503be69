import { hasOp } from '../../../lib/contract/types.ts';
import { idOf } from '../../../lib/wire/answer.ts';
import { walkList } from '../../../lib/wire/list-walk.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { Blocked, CheckFailure, Inconclusive } from '../../kit/fault.ts';
import { requesterOf } from '../../kit/list/list-reader.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { isGone, nameOf, shown } from '../../kit/record/record-reads.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { isView, sources, writeThroughView } from './view.ts';

const PAGE_SIZE = 100;

/** Ids of a family's whole list. Throws `Inconclusive` where it cannot be read to its end. */
async function idsOf(context: CheckContext, family: string): Promise<ReadonlySet<string>> {
  const result = await walkList(requesterOf(context, family), { list: { size: PAGE_SIZE } }, { anySize: true });
  if (result.refused !== undefined || result.cut !== undefined)
    throw new Inconclusive(`the list of ${family} cannot be read to its end`);
  return new Set(result.ids);
}

/** Records that the list of the family shows before and after that of the view: how many, and those that the view lacks. */
async function lookOnce(context: CheckContext, family: string) {
  const before = await idsOf(context, family);
  const seen = await idsOf(context, context.family.name);
  const after = await idsOf(context, family);
  const stayed = [...before].filter((id) => after.has(id));
  return { stayed: stayed.length, lacked: stayed.filter((id) => !seen.has(id)) };
}

/** The lists of the families and that of the view, held against each other: records of others count as well as our own. */
const viewIsUnion = checkOfEach<string>({
  id: 'view/union',
  title: 'the list of the view holds every record of the covered families',
  requirement: 'VIEW-PORTAL',
  level: 'stated',
  appliesTo: (family, table) => isView(family, table) && hasOp(family, 'list'),
  variants: (family) => (family.viewOf ?? []).map((name) => ({ name, data: name })),
  exercises: ['list'],
  needs: 'read',
  async run(context, family) {
    if (context.run.mayCreate(family)) await context.fixture({}, family);
    // Others come and go: only what no look finds in the view counts.
    let lost: readonly string[] | undefined;
    let records = 0;
    await context.eventually(async () => {
      const { stayed, lacked } = await lookOnce(context, family);
      const known = lost;
      lost = known === undefined ? lacked : lacked.filter((id) => known.includes(id));
      records = stayed;
      return lost.length === 0 ? true : undefined;
    });
    const missing = lost ?? [];
    if (missing.length > 0) {
      const observed = `${missing.length} are not`;
      throw new CheckFailure({
        expected: `every record of ${family} in the view`,
        observed,
        about: { kind: 'records', operation: 'list', subject: 'view' },
        difference: { missing, extra: [] },
      });
    }
    if (records === 0) throw tooLittle(context, { why: `${family} has no record`, needs: `a record of ${family}` });
    // Not how many records: those of others and of other checks come and go.
    context.witness('lists', 2);
    return undefined;
  },
});

/** Entries of a list that are of a record, as they stand in it. */
async function entriesFor(context: CheckContext, family: string, id: string, name: string) {
  const entries = await listEntries(context, family, name);
  return entries
    .filter((entry) => idOf(entry) === id)
    .map(({ name: held, description }) => ({ name: held, description }));
}

/** What a write through the view may not do, seen in the lists of both. */
const viewKeepsListed = checkOfEach<'update' | 'delete'>({
  id: 'view/keeps-listed',
  title: 'an update or delete through the view changes no list',
  requirement: 'VIEW-PORTAL',
  level: 'stated',
  appliesTo: (family, table) => isView(family, table) && hasOp(family, 'list'),
  variants: () => (['update', 'delete'] as const).map((write) => ({ name: write, data: write })),
  exercises: ['list'],
  needs: 'own-data',
  async run(context, write) {
    const source = sources(context).at(-1);
    if (source === undefined) throw new Blocked('no family of the view creates records');
    const own = await context.fixture({}, source);
    const name = nameOf(context, own);
    const places = [source, context.family.name];
    const look = async () => {
      const found = [];
      for (const place of places) found.push([place, await entriesFor(context, place, own.id, name)] as const);
      return found;
    };
    const before = await context.eventually(async () => {
      const found = await look();
      return found[0]?.[1].length === 1 ? found : undefined;
    });
    if (before === undefined) throw new Inconclusive(`${own.id} is not in the list of ${source}`);
    const answer = await writeThroughView(context, own, write);
    context.observe('status', answer.status);
    for (const [index, [place, entries]] of (await look()).entries()) {
      const held = before[index]?.[1] ?? [];
      // view/shows-all judges a view that did not show it before.
      if (held.length === 0) continue;
      if (shown(entries) !== shown(held))
        throw new CheckFailure({
          expected: `${own.id} in the list of ${place} as before: ${shown(held)}`,
          observed: shown(entries),
          about: { kind: 'accepted', operation: write, subject: 'view' },
        });
      context.witness(`lists of ${place}`);
    }
    return undefined;
  },
});

/** Ways to ask a view for a record, by what they are called. */
function windowsOf({ family }: CheckContext, name: string): Readonly<Record<string, ListQuery>> {
  const [sort] = family.sorts;
  return {
    list: { size: PAGE_SIZE },
    ...(family.filters.includes('name')
      ? { 'filtered list': { filters: [{ field: 'name', operator: 'EQ', value: name }] } }
      : {}),
    ...(sort === undefined ? {} : { 'sorted list': { sortAsc: sort, size: PAGE_SIZE } }),
  };
}

/** A record that its family removed is gone from the view, however that is asked. */
const viewForgets = checkOfEach<string>({
  id: 'view/forgets',
  title: 'the view shows no deleted record',
  requirement: 'VIEW-PORTAL',
  level: 'stated',
  appliesTo: (family, table) => isView(family, table) && hasOp(family, 'list'),
  variants: (family) => (family.viewOf ?? []).map((name) => ({ name, data: name })),
  dependsOn: ['view/shows-all|='],
  exercises: ['list'],
  needs: 'own-data',
  async run(context, source) {
    const own = await context.fixture({}, source);
    const isIn = async (list: ListQuery) => {
      const walk = await walkList(requesterOf(context), { list }, { anySize: true });
      return walk.refused === undefined && walk.cut === undefined ? walk.ids.includes(own.id) : undefined;
    };
    if (!(await context.eventually(async () => (await isIn({ size: PAGE_SIZE })) || undefined)))
      throw new Inconclusive(`${own.id} is not in the view before it is removed`);
    mustSucceed(await context.send('delete', { id: own.id }, source), 'the delete taken');
    if (!(await isGone(context, own))) throw new Inconclusive(`${own.id} can still be read; record/delete judges that`);
    for (const [window, list] of Object.entries(windowsOf(context, nameOf(context, own)))) {
      let isStill: boolean | undefined;
      await context.eventually(async () => {
        isStill = await isIn(list);
        return isStill === false ? true : undefined;
      });
      if (isStill)
        throw new CheckFailure({
          expected: `no ${own.id} in the ${window}: its family removed it`,
          observed: 'it is listed',
          about: { kind: 'no-effect', operation: 'delete', subject: 'view' },
        });
      if (isStill === false) context.witness('windows');
    }
    if (!hasOp(context.family, 'read') || (await isGone(context, { family: context.family.name, id: own.id })))
      return undefined;
    throw new CheckFailure({
      expected: `no record under ${own.id} in the view: its family removed it`,
      observed: 'it can still be read',
      about: { kind: 'no-effect', operation: 'delete', subject: 'view' },
    });
  },
});

export const viewListChecks: readonly Check[] = [viewIsUnion, viewKeepsListed, viewForgets];
