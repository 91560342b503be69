import { hasOp } from '../../../../lib/contract/types.ts';
import { defined } from '../../../../lib/defined.ts';
import { isForbidden, isSuccess } from '../../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import { answerText, mustDecide } from '../../../kit/answer.ts';
import { type BulkRun, bulkValues, runBulk, statusOf } from '../../../kit/bulk.ts';
import type { CheckContext } from '../../../kit/check.ts';
import { nameMember } from '../../../kit/fields.ts';
import { findByName } from '../../../kit/record/finder.ts';
import type { Findings } from '../world/findings.ts';
import { lookAlikeTexts } from '../world/look-alikes.ts';
import type { Likeness } from '../world/texts.ts';
import type { World } from '../world/world.ts';
import { bringAboutAnc } from './anc.ts';
import { type Chronicle, chronicleOf, freshFields, type Held, remove, update } from './chronicle.ts';
import { lookAround, type Neighbors, neighborsOf } from './chronicle-looks.ts';
import { sendRefused } from './refusals.ts';

/** What a bulk request does; the word for it is not shown, published definitions use these. */
type Action = 'create' | 'update' | 'delete';

/** A parameter that nobody knows. */
const EXTRA = [['cfmExtra', '1']] as const;
const ITEMS = 3;
/** Requests without items, each after another write. */
const EMPTY = 3;

/** Submits items in the JSON form that follows from the XML of published definitions; the specification shows no place for them. */
async function submit(
  context: CheckContext,
  out: Findings,
  action: Action,
  items: { readonly resources?: readonly unknown[]; readonly ids?: readonly string[] },
): Promise<BulkRun> {
  const { resources, ids } = items;
  const fields = {
    ...bulkValues(context.family.name, action),
    ...defined({ resourcesList: resources && { resource: resources }, idList: ids && { id: ids } }),
  };
  const send = (input: RequestInput) => runBulk(context, () => context.send('bulkSubmit', { ...input, fields }));
  const run = await send({ extra: EXTRA });
  if (isSuccess(run.submitted) || isForbidden(run.submitted)) return run;
  // Refused with the parameter means something only where the same is taken without it.
  const plain = await send({});
  if (!isSuccess(plain.submitted)) return run;
  out.add('bulk', {
    expected: 'a bulk request with a further parameter to be taken as without',
    observed: answerText(run.submitted),
    about: { kind: 'refused', operation: 'bulkSubmit', subject: 'parameter unknown' },
    requirement: 'CNV-EXTRA',
    exchanges: [run.submitted, plain.submitted],
  });
  return plain;
}

/** What is wrong with the monitor of a request that was taken: it does not know it, sees no end of it, or forgets it; or another family's knows it. */
async function monitorFault(
  { context }: World,
  turn: number,
  { id, monitored, state }: BulkRun,
): Promise<string | undefined> {
  const last = monitored.at(-1);
  if (id === undefined || (last !== undefined && isForbidden(last))) return undefined;
  if (last === undefined || !isSuccess(last))
    return `${id} is not known: ${last === undefined ? 'no answer' : answerText(last)}`;
  if (state === 'running') return `${id} still runs`;
  const again = await context.send('bulkMonitor', { bulkId: id, extra: EXTRA });
  if (!isSuccess(again)) return `${id} was known, and with a further parameter ${answerText(again)}`;
  const { table, family } = context;
  const other = Object.keys(table).find((name) => name !== family.name && table[name]?.ops.includes('bulkMonitor'));
  if (other === undefined || turn > 0) return undefined;
  const foreign = await context.send('bulkMonitor', { bulkId: id }, other);
  return isSuccess(foreign) ? `${id} is known to ${other}` : undefined;
}

const MONITORED = 'a bulk request that its monitor knows and sees end';

function blame(out: Findings, { submitted, monitored }: BulkRun, expected: string, observed: string): void {
  const kind = isSuccess(submitted) ? 'no-effect' : 'refused';
  const subject = expected === MONITORED ? 'bulk status' : 'bulk records';
  const about = { kind, operation: 'bulkSubmit', subject } as const;
  const exchanges = [submitted, ...monitored.slice(-1)];
  out.add('bulk', { expected, observed, about, requirement: 'SPC-BULK', exchanges });
}

/** Requests without items, for a family whose records are made in another way: their monitor knows each and sees its end. */
async function surveyEmpty(world: World, out: Findings): Promise<void> {
  for (let turn = 0; turn < EMPTY; turn += 1) {
    await bringAboutAnc(world, turn % 2 === 0 ? 'delete' : 'failed');
    const run = await submit(world.context, out, 'create', {});
    if (!isSuccess(run.submitted)) return;
    const wrong = await monitorFault(world, turn, run);
    if (wrong === undefined) out.held('bulk');
    else return blame(out, run, MONITORED, wrong);
  }
}

/** What became of the items: all done, some, or none. */
type Came = 'all' | 'some' | 'none' | 'refused';

/** What the texts of the first item look like, where the target takes such names. */
function likenessIn({ world }: Chronicle, turn: number): Likeness | undefined {
  const likeness = (['digits', 'words'] as const)[turn];
  return likeness !== undefined && world.likenesses.has(likeness) ? likeness : undefined;
}

async function createAll(
  chronicle: Chronicle,
  context: CheckContext,
  out: Findings,
  turn: number,
): Promise<readonly [Came, BulkRun]> {
  const { family } = context;
  const member = nameMember(family) ?? 'name';
  const likeness = likenessIn(chronicle, turn);
  const all = Array.from({ length: ITEMS }, (_, index) => ({
    ...freshFields(chronicle),
    ...(index === 0 && likeness !== undefined ? lookAlikeTexts(chronicle.world, likeness, 0) : {}),
  }));
  const names = all.map((fields) => String(fields[member]));
  for (const name of names) context.ledger.note('intent', { family: family.name, operation: 'create', name });
  const run = await submit(context, out, 'create', { resources: all });
  if (!isSuccess(run.submitted)) return ['refused', run];
  const find = async () => {
    const ids = await Promise.all(names.map(async (name) => (await findByName(context, family.name, name))[0]));
    return ids.every((id) => id !== undefined) ? ids : undefined;
  };
  const found =
    (await context.eventually(find)) ??
    (await Promise.all(names.map(async (name) => (await findByName(context, family.name, name))[0])));
  let made = 0;
  for (const [index, id] of found.entries()) {
    if (id === undefined) continue;
    const [name = '', fields = {}] = [names[index], all[index]];
    context.ledger.adopt(family.name, id, name);
    const alike = index === 0 ? defined({ likeness }) : {};
    chronicle.held.set(id, { id, name, fields: bound(chronicle, fields), form: 'json', isLive: true, ...alike });
    made += 1;
  }
  return [made === ITEMS ? 'all' : made > 0 ? 'some' : 'none', run];
}

/** What has to come back of what was sent. */
function bound({ world }: Chronicle, fields: Readonly<Record<string, unknown>>): Held['fields'] {
  const known = new Set(world.records.flatMap(({ sent }) => Object.keys(sent)));
  return Object.fromEntries(Object.entries(fields).filter(([member]) => known.has(member)));
}

/** What the monitor says was done, where it says that all was. */
function claimed({ state, monitored }: BulkRun): string | undefined {
  const [last] = monitored.slice(-1);
  const { successCount } = last === undefined ? {} : statusOf(last);
  return state === 'done' && Number(successCount) >= ITEMS
    ? `its status says that ${successCount} are made`
    : undefined;
}

/** The live records that the last bulk create made. */
const lastOf = ({ held }: Chronicle): readonly Held[] =>
  [...held.values()].filter(({ isLive }) => isLive).slice(-ITEMS);

async function updateAll(
  chronicle: Chronicle,
  context: CheckContext,
  out: Findings,
): Promise<readonly [Came, BulkRun]> {
  const member = nameMember(context.family) ?? 'name';
  const ones = lastOf(chronicle);
  const changed = ones.map((one) => {
    const alike = one.likeness === undefined ? {} : lookAlikeTexts(chronicle.world, one.likeness, 1);
    const fields = { ...freshFields(chronicle), ...alike };
    return { ...one, name: String(fields[member]), fields: bound(chronicle, fields) };
  });
  const resources = changed.map(({ id, fields }) => ({ ...fields, id }));
  const run = await submit(context, out, 'update', { resources });
  if (!isSuccess(run.submitted)) return ['refused', run];
  for (const one of changed) chronicle.held.set(one.id, one);
  return ['all', run];
}

async function deleteAll(
  chronicle: Chronicle,
  context: CheckContext,
  out: Findings,
): Promise<readonly [Came, BulkRun]> {
  const ones = lastOf(chronicle).slice(0, ITEMS - 1);
  const run = await submit(context, out, 'delete', { ids: ones.map(({ id }) => id) });
  if (!isSuccess(run.submitted)) return ['refused', run];
  for (const one of ones) {
    chronicle.held.set(one.id, { ...one, isLive: false });
    context.ledger.gone(context.family.name, one.id);
  }
  return ['all', run];
}

async function bringAbout(chronicle: Chronicle, turn: number): Promise<void> {
  const live = [...chronicle.held.values()].filter(({ isLive }) => isLive);
  const [victim, actor] = live;
  if (turn % 3 === 0 && victim !== undefined) await remove(chronicle, victim);
  else if (turn % 3 === 1 && actor !== undefined) await sendRefused(chronicle, 'delete nothing', actor);
  else if (actor !== undefined) await update(chronicle, actor, 'json', true);
}

/** Bulk requests of each action after each kind of write, and again: every item is done, and no other record touched. */
export async function surveyBulk(context: CheckContext, world: World, out: Findings): Promise<void> {
  const { family } = world;
  if (!hasOp(family, 'bulkSubmit')) return;
  if (!hasOp(family, 'create')) return surveyEmpty({ ...world, context }, out);
  const chronicle = chronicleOf(world);
  const neighbors: Neighbors = await neighborsOf(chronicle);
  const actions = [
    ['create', createAll],
    ['update', updateAll],
    ['delete', deleteAll],
  ] as const;
  const done = new Set<Action>();
  let idle: BulkRun | undefined;
  for (let turn = 0; turn < 3; turn += 1) {
    for (const [action, act] of actions) {
      if (!hasOp(family, action)) continue;
      await bringAbout(chronicle, turn);
      const [came, run] = await act(chronicle, context, out, turn);
      if (isForbidden(run.submitted)) mustDecide(run.submitted);
      const add = (expected: string, observed: string) => blame(out, run, expected, observed);
      if (came === 'refused' || came === 'none') {
        // Neither the word nor the place of the items is shown: a target may know others.
        if (done.has(action))
          return add(`a bulk ${action} as before`, `status ${run.submitted.status}, and nothing done`);
        if (came === 'none') {
          const wrong = (await monitorFault({ ...world, context }, turn, run)) ?? claimed(run);
          if (wrong !== undefined) return add(`${ITEMS} records of a bulk create that is taken`, `none: ${wrong}`);
        }
        if (action !== 'create') continue;
        // The next one tells whether items of this form are ever made.
        if (came === 'refused' || idle !== undefined) return;
        idle = run;
        break;
      }
      if (came === 'some') return add(`all ${ITEMS} records of a bulk create`, 'some of them');
      if (idle !== undefined)
        return blame(out, idle, `${ITEMS} records of a bulk create, as the next one made`, 'none');
      const wrong = await lookAround(chronicle, [...chronicle.held.values()].slice(-ITEMS), neighbors);
      if (wrong !== undefined) return add(`${wrong.expected} after a bulk ${action}`, wrong.observed);
      const monitor = await monitorFault({ ...world, context }, turn, run);
      if (monitor !== undefined) return add(MONITORED, monitor);
      done.add(action);
      out.held('bulk');
    }
  }
}
