import { OPS, PATH_PREFIX } from '../../../lib/contract/operations.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { idOf } from '../../../lib/wire/answer.ts';
import { uriPart } from '../../../lib/wire/query.ts';
import { rootKey } from '../../../lib/wire/request.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../../kit/check.ts';
import { Blocked, CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { nameOf, readRecord, readUntil, shown } from '../../kit/record/record-reads.ts';

/** True for a family that shows the records of others. */
export const isView: Check['appliesTo'] = (family) => (family.viewOf ?? []).length > 0;

/** Families of the view that records can be made in. */
export function sources(context: CheckContext): readonly string[] {
  return (context.family.viewOf ?? []).filter((name) => isCreatable(context.table[name]));
}

/** Records of each family that the view is of are in the view. */
const viewShowsAll = checkOfEach<string>({
  id: 'view/shows-all',
  title: 'the view shows records of each covered family',
  requirement: 'VIEW-PORTAL',
  level: 'stated',
  appliesTo: isView,
  variants: (family) => (family.viewOf ?? []).map((name) => ({ name, data: name })),
  exercises: ['list', 'read'],
  needs: 'own-data',
  async run(context, source) {
    const own = await context.fixture({}, source);
    const name = nameOf(context, own);
    const isShown = async () =>
      [
        ...(await listEntries(context, context.family.name, name)),
        ...(await listEntries(context, context.family.name)),
      ].some((entry) => idOf(entry) === own.id || entry['name'] === name) || undefined;
    if (!(await context.eventually(isShown)))
      throw new CheckFailure({
        expected: `${own.family} ${name} in the view`,
        observed: 'it is not listed',
        about: { kind: 'missing', operation: 'list', subject: 'view' },
      });
    context.witness('listed');
    if (!hasOp(context.family, 'read')) return undefined;
    const { fits, record } = await readUntil(
      context,
      { family: context.family.name, id: own.id },
      (held) => idOf(held) === own.id,
    );
    if (!fits)
      throw new CheckFailure({
        expected: `${own.family} ${own.id} readable in the view`,
        observed: shown(record),
        about: { kind: record === undefined ? 'missing' : 'value', operation: 'read', subject: 'view' },
      });
    context.witness('read');
    return undefined;
  },
});

/** Tries to update or delete a record of another family by the path of the view. */
export async function writeThroughView(context: CheckContext, own: Fixture, op: 'update' | 'delete') {
  const family = context.table[own.family];
  const root = family === undefined ? null : rootKey(family, 'update');
  const fields = { ...own.sent, id: own.id, description: `written through the view ${context.run.prefix}` };
  const body = op === 'update' ? { body: JSON.stringify(root === null ? fields : { [root]: fields }) } : {};
  return context.raw({
    family: context.family.name,
    op,
    method: OPS[op].method,
    path: `${PATH_PREFIX}/${context.family.name}/${uriPart(own.id)}`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    id: own.id,
    ...body,
  });
}

/** The view changes nothing. */
const viewChangesNone = checkOfEach<'update' | 'delete'>({
  id: 'view/read-only',
  title: 'an update or delete through the view leaves the record as it is',
  requirement: 'VIEW-PORTAL',
  level: 'stated',
  appliesTo: isView,
  variants: () => (['update', 'delete'] as const).map((write) => ({ name: write, data: write })),
  needs: 'own-data',
  async run(context, write) {
    const [source] = sources(context);
    if (source === undefined) throw new Blocked('no family of the view creates records');
    const own = await context.fixture({}, source);
    const before = (await readRecord(context, own)).record;
    const answer = await writeThroughView(context, own, write);
    context.observe('status', answer.status);
    const after = (await readRecord(context, own)).record;
    const about = { kind: 'accepted', operation: write, subject: 'view' } as const;
    if (idOf(after) !== own.id)
      throw new CheckFailure({ expected: `${own.id} as it was`, observed: 'it is gone', about });
    if (shown(after) !== shown(before))
      throw new CheckFailure({ expected: shown(before), observed: shown(after), about });
    context.witness('unchanged');
    return undefined;
  },
});

export const viewChecks: readonly Check[] = [viewShowsAll, viewChangesNone];
