import { hasOp } from '../../lib/contract/types.ts';
import { present } from '../../lib/present.ts';
import { isNotFound, isSuccess, type JsonObject } from '../../lib/wire/answer.ts';
import { answerText, isExcused, mustSucceed } from '../kit/answer.ts';
import * as bulk from '../kit/bulk.ts';
import type { Check, CheckContext } from '../kit/check.ts';
import { failure, NotTestable } from '../kit/fault.ts';
import { isCreatable, nameGiven, nameMember, rangedMembers, textMember } from '../kit/fields.ts';
import { until } from '../kit/poller.ts';
import { takeUp } from '../kit/record/finder.ts';
import { readRecord, shown } from '../kit/record/record-reads.ts';
import { create, read } from '../plans/make.ts';
import { judgeSteps, type StepPlan } from '../plans/obvious/steps.ts';
import { mustBeKnown, mustBeTaken, onBulk, submits } from './bulk.ts';
import { mustBeWithin, rangeIn } from './record/number.ts';

async function madeInBulk(context: CheckContext) {
  const { operationType } = await bulk.bulkRunOf(context);
  const made = await context.run.shared('bulk records', async () => {
    const records = [context.payload(), context.payload()];
    const run = await bulk.submitRecords(context, { action: 'create', records }, operationType);
    return { run, names: records.map((fields) => nameGiven(context.family, fields)) };
  });
  for (const exchange of [made.run.submitted, ...made.run.monitored.slice(-1)]) context.evidence.add(exchange);
  return made;
}

const idsOf = (context: CheckContext, names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await takeUp(context, context.family.name, name))[0]));

/**
 * Creates a record whose name is taken, and one with a number beyond its range, between two that are sound. To refuse those is a target's
 * right, and so is making none of them then; but none is told as made that is not there, no number beyond the range is stored, and
 * another request is taken afterwards.
 */
async function besideWrong(context: CheckContext, name: string, own: string): Promise<void> {
  const { family, payload } = context;
  const [named = 'name', text = named] = [nameMember(family), textMember(family)];
  // Of a record that has a name alone, nobody can tell whether it was written to.
  if (text === named) return;
  const { operationType } = await bulk.bulkRunOf(context);
  const taken = payload({ [named]: name });
  const beyond = rangedMembers(family).map((member) => payload({ [member]: rangeIn(family, member).high + 1 }));
  const sound = [payload(), payload()];
  const records = sound.toSpliced(1, 0, taken, ...beyond);
  const { submitted, monitored, state } = await bulk.submitRecords(
    context,
    { action: 'create', records },
    operationType,
  );
  const last = monitored.at(-1) ?? { json: undefined };
  const namesIn = (some: readonly JsonObject[]) => some.map((fields) => nameGiven(family, fields));
  const read = async (id: string) => (await readRecord(context, { family: family.name, id })).record;
  const made = async () => {
    const others = (await takeUp(context, family.name, name)).filter((id) => id !== own);
    // It may have been done as an update of the record that has the name.
    const isDone = others.length > 0 || (await read(own))?.[text] === taken[text];
    const ids = await idsOf(context, namesIn([...sound, ...beyond]));
    return ids.filter((id) => id !== undefined).length + Number(isDone);
  };
  const told = state === 'done' ? (bulk.countsOf(last).succeeded ?? 0) : 0;
  const isSo = await until(context, async () => (await made()) >= told);
  if (!isSo)
    throw failure('no-effect', 'bulkSubmit', 'bulk records', {
      expected: `${told} of the records of a bulk create to exist`,
      observed: `fewer, and reported done: ${shown(bulk.statusOf(last))}`,
      onlyIf: 'another record of the request may be refused',
    });
  const stored = await Promise.all(present(...(await idsOf(context, namesIn(beyond)))).map(read));
  for (const member of rangedMembers(family))
    for (const record of stored) mustBeWithin(family, member, [record?.[member]], 'bulkSubmit', member);
  // A target takes one request at a time.
  if (state === 'running') return;
  const fields = bulk.bulkValues(family.name, operationType);
  const { submitted: again } = await bulk.runBulk(context, () => context.send('bulkSubmit', { fields }));
  const isRefused = (bulk.countsOf(last).failed ?? 0) > 0 || !isSuccess(submitted);
  const expected = `a bulk request to be taken, as before${isRefused ? ' one of which an item was refused' : ''}`;
  if (!isExcused(again)) mustSucceed(again, expected);
}

/** A value for every member; lists hold the items of both turns. */
function withWholeLists({ samples }: CheckContext['run']['values']): JsonObject {
  const [one, other] = [samples(0), samples(1)];
  const joined = (value: unknown, more: unknown) =>
    Array.isArray(value) && Array.isArray(more) ? [...value, ...more] : value;
  return Object.fromEntries(Object.entries(one).map(([member, value]) => [member, joined(value, other[member])]));
}

const LABELS = Array.from({ length: 12 }, (_, at) => `${at}`);
/** More records than a small page or batch holds: made by one request, one of them given another name and other values, and removed by one. */
const manySteps = ({ run: { values }, payload }: CheckContext): StepPlan['steps'] => [
  create('beside'),
  {
    step: 'bulk',
    action: 'create',
    form: 'xml',
    who: LABELS,
    sets: LABELS.map((_, at) => (at ? {} : withWholeLists(values))),
  },
  { step: 'bulk', action: 'update', form: 'json', who: ['0'], sets: [{ ...payload(), ...values.samples(1) }] },
  { step: 'bulk', action: 'delete', form: 'json', who: LABELS, sets: [] },
  read('beside'),
];

const AS_PUBLISHED = 'a deployment that takes records in bulk as published definitions have them';

const bulkTakesEffect: Check = {
  ...onBulk,
  id: 'bulk/effect',
  title: 'records submitted in bulk exist',
  accuses: ['LIM-SGT'],
  appliesTo: (family, table) => submits(family, table) && isCreatable(family),
  dependsOn: ['bulk/known-id', 'record/create'],
  async run(context) {
    await context.fixture();
    const { run, names } = await madeInBulk(context);
    const { submitted } = run;
    if (submitted.status >= 400 && submitted.status < 500 && !isExcused(submitted))
      throw new NotTestable(
        `no place for records is shown (gap G-08), and that of published definitions is refused: ${answerText(submitted)}`,
        AS_PUBLISHED,
      );
    mustBeTaken(run);
    if (run.id !== undefined) mustBeKnown(run);
    let ids: Awaited<ReturnType<typeof idsOf>> = [];
    const isMade = async () => {
      ids = await idsOf(context, names);
      return ids.every((id) => id !== undefined);
    };
    if (await until(context, isMade)) {
      context.witness('records', names.length);
      await besideWrong(context, names[0] ?? '', ids[0] ?? '');
      await judgeSteps(context, { steps: manySteps(context), isAbout: ({ operation }) => operation === 'bulkSubmit' });
      return undefined;
    }
    const last = run.monitored.at(-1) ?? { json: undefined };
    const status = bulk.statusOf(last);
    context.observe('status', status);
    const isTold = run.state === 'done' && (bulk.countsOf(last).succeeded ?? 0) >= names.length;
    // Wherever a request has its records, it ends: one that runs on has neither made nor refused them.
    if (isTold || run.state === 'running')
      throw failure('no-effect', 'bulkSubmit', isTold ? 'bulk records' : 'bulk end', {
        expected: `${isTold ? '' : 'an end, or '}${names.join(' and ')} to exist`,
        observed: `${isTold ? 'reported done' : 'neither'}: ${shown(status)}`,
      });
    throw new NotTestable(
      `no place for records is shown (gap G-08), and the target made none of ours: ${shown(status)}`,
      AS_PUBLISHED,
    );
  },
};

/** Asks the monitor of a request that ended, if it contradicted a look at the items, until both agree: both may show late. False if it tells of none. */
async function mustTellTrue(
  context: CheckContext,
  { id: bulkId, state, monitored }: bulk.BulkRun,
  look: () => Promise<readonly bulk.Item[]>,
): Promise<boolean> {
  if (state !== 'done' || bulkId === undefined) return false;
  let items: readonly bulk.Item[] = [];
  let said: ReturnType<typeof bulk.contradicted> | undefined;
  await context.eventually(async () => {
    items = await look();
    said = bulk.contradicted(monitored.at(-1) ?? { json: undefined }, items);
    if (said.wrong.length > 0) {
      const answer = await context.send('bulkMonitor', { bulkId });
      said = isSuccess(answer) ? bulk.contradicted(answer, items) : undefined;
    }
    return said?.wrong.length === 0 || undefined;
  });
  if (said === undefined) return false;
  if (said.wrong.length > 0)
    throw failure('value', 'bulkMonitor', 'bulk status', {
      expected: `what a look shows: ${items.flatMap(({ id = 'an item', isDone }) => (isDone === undefined ? [] : `${id} ${isDone ? 'done' : 'not done'}`)).join(', ')}`,
      observed: said.wrong.join(', '),
    });
  context.witness('told', said.told);
  return said.told > 0;
}

const bulkTellsOfItems: Check = {
  ...onBulk,
  id: 'bulk/items',
  title: 'the monitor says of each item what a look at its record shows',
  requirement: 'OP-{family}-BM',
  level: 'implied',
  appliesTo: (family, table) => submits(family, table) && isCreatable(family),
  dependsOn: ['bulk/effect'],
  async run(context) {
    const { family, ledger, send } = context;
    const { run, names } = await madeInBulk(context);
    let ids: readonly (string | undefined)[] = [];
    const isTold = await mustTellTrue(context, run, async () => {
      ids = await idsOf(context, names);
      return ids.map((id) => ({ id, isDone: id !== undefined }));
    });
    if (!isTold) throw new NotTestable('the monitor tells of no item in known words', 'a monitor that tells of items');
    const own = ids.filter((id) => id !== undefined);
    if (own.length === 0 || !hasOp(family, 'delete') || !hasOp(family, 'read')) return undefined;
    // What is gone already may be refused or not, and changes nothing of what the other item asks for.
    const gone = own.length > 1 && isSuccess(await send('delete', { id: own[0] ?? '' })) ? own[0] : undefined;
    // One of which no answer tells that it is gone is not written to.
    const isKnown = gone && isNotFound((await readRecord(context, { family: family.name, id: gone })).exchange);
    const asked = own.filter((id) => id !== gone || isKnown);
    const items = { action: 'delete', records: asked.map((id) => ({ id })) } as const;
    const input = { fields: bulk.bulkValues(family.name, 'delete'), bulk: items };
    const removed = await bulk.runBulk(context, () => send('bulkSubmit', input));
    await mustTellTrue(context, removed, () =>
      Promise.all(
        own.map(async (id) => {
          const { record, exchange } = await readRecord(context, { family: family.name, id });
          if (isNotFound(exchange)) ledger.gone(family.name, id);
          // Which status tells that a record is gone is not shown.
          return { id, isDone: id === gone && record === undefined ? undefined : record === undefined };
        }),
      ),
    );
    return undefined;
  },
};

export const bulkItemChecks: readonly Check[] = [bulkTakesEffect, bulkTellsOfItems];
