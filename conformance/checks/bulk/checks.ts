import { hasOp } from '../../../lib/contract/types.ts';
import { isObject, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure, answerText } from '../../kit/answer.ts';
import { type BulkRun, bulkRunOf, firstKnown, statusOf, submitRecords } from '../../kit/bulk.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../kit/fault.ts';
import { isCreatable, nameMember } from '../../kit/fields.ts';
import { findByName } from '../../kit/record/finder.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { bulkOwnIds, mustTellOf } from './own-ids.ts';
import { mustBeTaken, onBulk, submits } from './submits.ts';

/** Its monitor knows it. */
function mustBeKnown(run: BulkRun): void {
  const first = firstKnown(run);
  if (first !== undefined && isSuccess(first)) return;
  throw new CheckFailure({
    expected: `the monitor to know ${run.id}`,
    observed: first === undefined ? 'no answer' : answerText(first),
    about: { kind: 'refused', operation: 'bulkMonitor', subject: 'bulk id' },
  });
}

const bulkTaken: Check = {
  id: 'bulk/submit',
  title: 'a bulk request with the two listed members is accepted',
  requirement: 'OP-{family}-BS',
  level: 'stated',
  appliesTo: submits,
  exercises: ['bulkSubmit'],
  needs: 'full',
  async run(context) {
    mustBeTaken(await bulkRunOf(context));
    context.witness('taken');
    return undefined;
  },
};

/** The same request: the root key that the table lists is the one that is taken. */
const bulkRootKey: Check = {
  ...bulkTaken,
  id: 'bulk/root-key',
  title: 'a bulk request under the root key of its family is accepted',
  requirement: 'SPC-BULK',
};

const bulkKnown: Check = {
  ...onBulk,
  id: 'bulk/known-id',
  title: 'the monitor knows the id of a submitted bulk request',
  dependsOn: ['bulk/submit'],
  exercises: ['bulkSubmit'],
  async run(context) {
    const run = await bulkRunOf(context);
    mustBeTaken(run);
    if (run.id === undefined)
      throw answerFailure('the id of the bulk request in Location or body', run.submitted, { subject: 'bulk id' });
    mustBeKnown(run);
    context.witness('monitored');
    return undefined;
  },
};

const bulkMonitored: Check = {
  id: 'bulk/monitor',
  title: 'the monitor shows the bulk request that it is asked for',
  requirement: 'OP-{family}-BM',
  level: 'stated',
  appliesTo: submits,
  dependsOn: ['bulk/known-id'],
  exercises: ['bulkMonitor'],
  needs: 'full',
  async run(context) {
    const run = await bulkRunOf(context);
    const { id } = run;
    const first = firstKnown(run);
    if (first === undefined || id === undefined) throw new Inconclusive('no bulk request was taken');
    const told = run.monitored.find((each) => isSuccess(each) && isObject(each.json));
    if (told === undefined) {
      if (run.monitored.every(({ body }) => body === ''))
        throw answerFailure('a status', first, { subject: 'bulk status' });
      throw new Inconclusive(`the form of a status is not shown: ${answerText(first)}`);
    }
    const status = statusOf(told);
    mustTellOf(id, told);
    if (Object.keys(status).length > 0) context.witness('members', Object.keys(status).length);
    return undefined;
  },
};

const bulkCompletes: Check = {
  ...onBulk,
  id: 'bulk/completes',
  title: 'a bulk request completes',
  dependsOn: ['bulk/known-id'],
  async run(context) {
    const { state, monitored } = await bulkRunOf(context);
    const words = [...new Set(monitored.map((exchange) => String(statusOf(exchange)['executionStatus'] ?? '')))];
    context.observe('executionStatus', words);
    if (state === 'running')
      throw new CheckFailure({
        expected: 'an end within the window',
        observed: `still ${words.at(-1)}`,
        about: { kind: 'no-effect', operation: 'bulkSubmit', subject: 'bulk end' },
      });
    if (state === 'unclear') throw new Inconclusive(`whether it ended is not told in known words: ${words.join(', ')}`);
    context.witness('ended');
    return undefined;
  },
};

const bulkTakesEffect: Check = {
  id: 'bulk/effect',
  title: 'records submitted in bulk exist',
  requirement: 'SPC-BULK',
  level: 'stated',
  appliesTo: (family, table) => submits(family, table) && isCreatable(family),
  dependsOn: ['bulk/known-id', 'record/create'],
  needs: 'full',
  async run(context) {
    const member = nameMember(context.family) ?? 'name';
    await context.fixture();
    const records = [context.payload(), context.payload()];
    const names = records.map((fields) => String(fields[member]));
    const { operationType } = await bulkRunOf(context);
    const run = await submitRecords(context, { action: 'create', records }, operationType);
    mustBeTaken(run);
    if (run.id !== undefined) mustBeKnown(run);
    const found = await context.eventually(async () => {
      const ids = await Promise.all(
        names.map(async (name) => (await findByName(context, context.family.name, name))[0]),
      );
      for (const [index, id] of ids.entries()) {
        if (id !== undefined) context.ledger.adopt({ family: context.family.name, id, name: names[index] ?? '' });
      }
      return ids.every((id) => id !== undefined) ? ids : undefined;
    });
    if (found !== undefined) {
      context.witness('records', found.length);
      return undefined;
    }
    const status = run.monitored.length === 0 ? {} : statusOf(run.monitored.at(-1) as { json: unknown });
    context.observe('status', status);
    if (run.state === 'done' && Number(status['successCount']) >= names.length) {
      throw new CheckFailure({
        expected: `${names.join(' and ')} to exist`,
        observed: `reported done: ${shown(status)}`,
        about: { kind: 'no-effect', operation: 'bulkSubmit', subject: 'bulk records' },
      });
    }
    // Wherever a request has its records, it ends: one that runs on has neither made nor refused them.
    if (run.state === 'running')
      throw new CheckFailure({
        expected: `an end, or ${names.join(' and ')}`,
        observed: `neither: ${shown(status)}`,
        about: { kind: 'no-effect', operation: 'bulkSubmit', subject: 'bulk end' },
      });
    throw new Inconclusive(
      `no place for records is shown (gap G-08), and the target made none of ours: ${shown(status)}`,
    );
  },
};

const bulkStaysInFamily: Check = {
  id: 'bulk/own-family',
  title: 'another family does not know the id of a bulk request',
  requirement: 'SPC-BULK',
  level: 'stated',
  appliesTo: (family, table) =>
    submits(family, table) &&
    Object.entries(table).some(([other, shape]) => other !== family.name && hasOp(shape, 'bulkMonitor')),
  dependsOn: ['bulk/known-id'],
  needs: 'full',
  async run(context) {
    const { id } = await bulkRunOf(context);
    if (id === undefined) throw new Inconclusive('no bulk request was taken');
    const others = Object.entries(context.table).filter(
      ([other, shape]) => other !== context.family.name && hasOp(shape, 'bulkMonitor'),
    );
    for (const [other] of others) {
      const answer = await context.send('bulkMonitor', { bulkId: id }, other);
      if (isSuccess(answer))
        throw answerFailure(`${other} not to know the bulk request ${id}`, answer, { subject: 'bulk id' });
      context.witness('families');
    }
    return undefined;
  },
};

export const bulkChecks: readonly Check[] = [
  bulkTaken,
  bulkRootKey,
  bulkKnown,
  bulkOwnIds,
  bulkMonitored,
  bulkCompletes,
  bulkTakesEffect,
  bulkStaysInFamily,
];
