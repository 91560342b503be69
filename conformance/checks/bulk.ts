import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { isForbidden, isObject, isOverloaded, isSuccess } from '../../lib/wire/answer.ts';
import { answerFailure, answerText, mustSucceed } from '../kit/answer.ts';
import * as bulk from '../kit/bulk.ts';
import type { Check } from '../kit/check.ts';
import { failure, Inconclusive, NotTestable } from '../kit/fault.ts';
import { isServerFault, shown } from '../kit/record/record-reads.ts';

export const submits: Check['appliesTo'] = (family) => hasOp(family, 'bulkSubmit') && hasOp(family, 'bulkMonitor');

const withBulk = {
  requirement: 'SPC-BULK',
  level: 'stated',
  appliesTo: submits,
  needs: 'full',
} as const satisfies Partial<Check>;
export const onBulk = { ...withBulk, dependsOn: ['bulk/known-id'] } as const satisfies Partial<Check>;

export function mustBeTaken({ submitted }: bulk.BulkRun): void {
  mustSucceed(submitted, 'a bulk request with the two listed members under its root key to be taken');
}

/** The answer of a monitor is about the request that it was asked for, if it says which. */
function mustTellOf(id: string, answer: Exchange): void {
  const told = bulk.toldId(answer);
  if (told === undefined || told === id) return;
  throw failure('value', 'bulkMonitor', 'bulk id', {
    expected: `the status of ${id}`,
    observed: `that of ${shown(told)}`,
  });
}

export function mustBeKnown(run: bulk.BulkRun): void {
  const first = bulk.firstKnown(run);
  if (first !== undefined && isSuccess(first)) return;
  throw failure('refused', 'bulkMonitor', 'bulk id', {
    expected: `the monitor to know ${run.id}`,
    observed: first === undefined ? 'no answer' : answerText(first),
  });
}

const bulkTaken: Check = {
  ...withBulk,
  id: 'bulk/submit',
  title: 'a bulk request with the two listed members is accepted',
  requirement: 'OP-{family}-BS',
  exercises: ['bulkSubmit'],
  async run(context) {
    mustBeTaken(await bulk.bulkRunOf(context));
    context.witness('taken');
  },
};

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
    const run = await bulk.bulkRunOf(context);
    mustBeTaken(run);
    if (run.id === undefined)
      throw answerFailure('the id of the bulk request in Location or body', run.submitted, 'bulk id');
    mustBeKnown(run);
    context.witness('monitored');
  },
};

const bulkOwnIds: Check = {
  ...onBulk,
  id: 'bulk/own-ids',
  title: 'two bulk requests have ids of their own, and both are known to the monitor',
  dependsOn: ['bulk/submit'],
  exercises: ['bulkSubmit'],
  async run(context) {
    const first = await bulk.bulkRunOf(context);
    mustBeTaken(first);
    // A target takes one request at a time: bulk/completes judges one that does not end.
    if (first.state === 'running') throw new Inconclusive('the first request still runs');
    // How long one that has ended is known is not shown.
    const isKept = first.id !== undefined && isSuccess(await context.send('bulkMonitor', { bulkId: first.id }));
    const second = await bulk.submitPlain(context);
    mustBeTaken(second);
    if (first.id === undefined || second.id === undefined) throw new Inconclusive('no id is answered to compare');
    // One request that is sent twice may be one to the target, under one id: another one is not.
    const fields = bulk.bulkValues(context.family.name, 'update');
    const isOneForAll =
      first.id === second.id &&
      (await bulk.runBulk(context, () => context.send('bulkSubmit', { fields }))).id === first.id;
    if (isOneForAll)
      throw failure('value', 'bulkSubmit', 'bulk id', {
        expected: 'two ids for two bulk requests',
        observed: `${first.id} for each`,
      });
    for (const answer of second.monitored.filter(isSuccess)) mustTellOf(second.id, answer);
    context.witness('ids', 2);
    // A monitor that knows nothing but the last request, of any family, forgets those before it.
    if (!isKept) return;
    await bulk.submitElsewhere(context, first.operationType);
    const later = await context.send('bulkMonitor', { bulkId: first.id });
    if (!isSuccess(later) && !isForbidden(later) && !isOverloaded(later))
      throw answerFailure(`the monitor to know ${first.id} after another request too`, later, 'bulk id');
    mustTellOf(first.id, later);
  },
};

const ASKED_IN_XML = 'it is asked for with Accept: application/xml';

const bulkMonitored: Check = {
  ...withBulk,
  id: 'bulk/monitor',
  title: 'the monitor shows the bulk request that it is asked for',
  requirement: 'OP-{family}-BM',
  exercises: ['bulkMonitor'],
  async run(context) {
    const run = await bulk.bulkRunOf(context);
    const { id } = run;
    const first = bulk.firstKnown(run);
    if (first === undefined || id === undefined) throw new Inconclusive('no bulk request was taken');
    mustSucceed(first, 'a valid bulkMonitor to be taken');
    const told = run.monitored.find((each) => isSuccess(each) && isObject(each.json));
    if (told === undefined) {
      if (run.monitored.every(({ body }) => body === '')) throw answerFailure('a status', first, 'bulk status');
      throw new Inconclusive(`the form of a status is not shown: ${answerText(first)}`);
    }
    const status = bulk.statusOf(told);
    mustTellOf(id, told);
    // In which form a status comes is not shown: to refuse one is a target's right, to fail at it is not.
    const inXml = await context.send('bulkMonitor', { bulkId: id, headers: { accept: 'application/xml' } });
    if (isServerFault(inXml))
      throw answerFailure('a status, or a refusal of its form', inXml, 'header accept', undefined, ASKED_IN_XML);
    if (Object.keys(status).length > 0) context.witness('members', Object.keys(status).length);
  },
};

const bulkCompletes: Check = {
  ...onBulk,
  id: 'bulk/completes',
  title: 'a bulk request completes',
  async run(context) {
    const { state, monitored } = await bulk.bulkRunOf(context);
    const words = [...new Set(monitored.map((exchange) => String(bulk.statusOf(exchange)['executionStatus'] ?? '')))];
    context.observe('executionStatus', words);
    if (state === 'running')
      throw failure('no-effect', 'bulkSubmit', 'bulk end', {
        expected: 'an end within the window',
        observed: `still ${words.at(-1)}`,
      });
    if (state === 'unclear') {
      const why = `whether it ended is not told in known words: ${words.join(', ')}`;
      throw monitored.slice(-1).some(isSuccess) ? new NotTestable(why, 'known words') : new Inconclusive(why);
    }
    context.witness('ended');
  },
};

export const bulkChecks: readonly Check[] = [
  ...[bulkTaken, bulkRootKey, bulkKnown, bulkOwnIds],
  ...[bulkMonitored, bulkCompletes],
];
