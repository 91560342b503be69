import { ANC_OPERATION_NAMES, ANC_OPERATIONS, type AncOperationName } from '../../../lib/contract/anc.ts';
import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { idOf, isForbidden, isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import { isTaken, sendAnc } from '../../kit/anc.ts';
import { answerFailure, answerText, mustBeAllowed, mustSucceed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { Blocked, failure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { PAGE_SIZE, walkWhole } from '../../kit/record/finder.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { mustTakeClears } from '../../kit/record/write-attempt.ts';
import { checksTokens } from '../common.ts';
import * as anc from './fixture.ts';
import { ancNeighbors } from './neighbors.ts';

/** A longer list of endpoints is not read whole: it moves while it is read. */
const MOST_PAGES = 20;

/** Ids of the whole list of endpoints. Throws `Inconclusive` if it cannot be read to its end. */
async function wholeList(context: CheckContext): Promise<ReadonlySet<string>> {
  const { refused, cut, ids } = await walkWhole(context, undefined, MOST_PAGES);
  if (refused !== undefined) throw new Inconclusive(`the list cannot be read: ${answerText(refused)}`);
  const needs = `a list of at most ${MOST_PAGES * PAGE_SIZE} endpoints`;
  if (cut !== undefined) throw new NotTestable(`the list is longer than ${MOST_PAGES} pages`, needs);
  return new Set(ids);
}

/** What an apply adds to the whole list of endpoints, and a clear takes from it: no filter and no record is looked at. */
const ancCounts = checkOfEach<'apply' | 'clear'>({
  ...anc.onAnc,
  id: 'anc/counts',
  title: 'an apply adds an endpoint to the list, and a clear takes it away',
  appliesTo: (family) =>
    hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'list') && 'macAddress' in fieldsOf(family),
  variants: () => anc.BOTH,
  // Not anc/apply and anc/clear: this one sees the same mistakes by another way.
  exercises: ['list'],
  async run(context, op) {
    const endpoint = await anc.freeEndpoint(context, 10);
    const before = await wholeList(context);
    const untilSome = (of: (now: ReadonlySet<string>) => readonly string[]) =>
      context.eventually(async () => {
        const some = of(await wholeList(context));
        return some.length > 0 ? some : undefined;
      });
    await anc.clearedAfter(context, [endpoint], async () => {
      const applied = await sendAnc(context, 'apply-by-mac', endpoint);
      mustBeAllowed(applied);
      // Records of others may come at the same time: that at least one came is what an apply owes.
      const added = await untilSome((now) => [...now].filter((id) => !before.has(id)));
      if (added === undefined) {
        // Without a live session real deployments answer an error: the checks of the operations judge that.
        if (!isSuccess(applied)) throw new Inconclusive(`refused: ${answerText(applied)}`);
        if (op === 'clear') throw new Blocked('an apply adds nothing to the list that a clear could take away');
        throw answerFailure(`a list of more than ${before.size} endpoints`, applied, 'list', 'none was added');
      }
      if (op === 'apply') return context.witness('added', added.length);
      const cleared = await sendAnc(context, 'clear-by-mac', endpoint);
      const removed = await untilSome((now) => added.filter((id) => !now.has(id)));
      if (removed !== undefined) return context.witness('removed', removed.length);
      if (!isSuccess(cleared)) throw new Inconclusive(`refused: ${answerText(cleared)}`);
      throw failure('no-effect', 'clear', 'list', {
        expected: `a list without ${added.join(', ')}`,
        observed: `${answerText(cleared)}, and all of it is there`,
        difference: { missing: [], extra: added },
      });
    });
  },
});

const namesOf = (op: 'apply' | 'clear') => ANC_OPERATION_NAMES.filter((name) => ANC_OPERATIONS[name].op === op);

/** Applies, waits for the record, and works on it. Clears again whatever comes. */
async function withPolicy(
  context: CheckContext,
  endpoint: anc.Endpoint,
  work: (record: JsonObject) => Promise<void>,
  operation: AncOperationName = 'apply-by-mac',
): Promise<void> {
  const applied = await anc.sendApply(context, operation, endpoint);
  return anc.clearedAfter(context, [endpoint], async () => {
    const record = await anc.untilApplied(context, endpoint);
    if (record === undefined) {
      mustSucceed(applied, 'the policy to be applied');
      const expected = `a record of ${endpoint.macAddress} with ${endpoint.policyName}`;
      throw answerFailure(expected, applied, 'record', 'none is there');
    }
    if (!isSuccess(applied)) context.observe('refused and stored', answerText(applied));
    return work(record);
  });
}

const ancApplies = checkOfEach<AncOperationName>({
  ...anc.onAnc,
  id: 'anc/apply',
  title: 'an endpoint with an applied policy has a record',
  variants: () => namesOf('apply'),
  exercises: ['list', 'read', 'apply'],
  async run(context, operation) {
    const endpoint = await anc.freeEndpoint(context, namesOf('apply').indexOf(operation));
    anc.needsSession(context, operation, endpoint);
    const { policyName } = endpoint;
    const look = async ({ policyName: held }: JsonObject) => {
      if (held !== undefined && held !== policyName)
        throw failure('value', 'apply', 'policy', { expected: `policyName ${policyName}`, observed: shown(held) });
    };
    await withPolicy(context, endpoint, look, operation);
    context.witness('applied');
  },
});

const ancClears = checkOfEach<AncOperationName>({
  ...anc.onAnc,
  id: 'anc/clear',
  title: 'a cleared endpoint has no record',
  variants: () => namesOf('clear'),
  dependsOn: ['anc/apply'],
  exercises: ['list', 'read', 'clear'],
  async run(context, operation) {
    mustTakeClears(context, true);
    const endpoint = await anc.freeEndpoint(context, namesOf('apply').length + namesOf('clear').indexOf(operation));
    await withPolicy(context, endpoint, async (record) => {
      const cleared = await sendAnc(context, operation, endpoint);
      const left = await anc.untilCleared(context, endpoint);
      if (left !== undefined) {
        mustSucceed(cleared, 'the policy to be cleared');
        throw answerFailure(`no record of ${endpoint.macAddress}`, cleared, 'record', `${shown(left)} is there`);
      }
      if (!isSuccess(cleared)) context.observe('refused and cleared', answerText(cleared));
      if (await anc.isGhost(context, endpoint, record))
        throw failure('records', 'list', 'list', {
          expected: `no record in a list of ${endpoint.macAddress}, which was cleared`,
          observed: `${idOf(record)}, which no read finds`,
        });
    });
    context.witness('cleared');
  },
});

const ancCsrf = checkOfEach<'apply' | 'clear'>({
  ...anc.onAnc,
  id: 'anc/csrf-header',
  title: 'apply and clear accept the header X-CSRF-TOKEN',
  requirement: 'AUTH-CSRF',
  variants: () => anc.BOTH,
  dependsOn: ['anc/apply', 'anc/clear'],
  restsOn: anc.LEAVES,
  async run(context, op) {
    const endpoint = await anc.freeEndpoint(context, 9);
    const headers = { csrfToken: 'fetch' };
    await anc.clearedAfter(context, [endpoint], async () => {
      const applied = await sendAnc(context, 'apply-by-mac', endpoint, { headers });
      if (isForbidden(applied)) await sendAnc(context, 'apply-by-mac', endpoint);
      const cleared = await sendAnc(context, 'clear-by-mac', endpoint, { headers });
      const answer = op === 'apply' ? applied : cleared;
      // One that takes a made-up token with the one operation does not check it.
      if (isForbidden(applied) && isForbidden(cleared)) throw checksTokens();
      const expected = `${op} with X-CSRF-TOKEN to be taken`;
      if (op === 'clear' && !isTaken(context, op, answer)) {
        await sendAnc(context, 'apply-by-mac', endpoint);
        const plain = await sendAnc(context, 'clear-by-mac', endpoint);
        if (!isTaken(context, op, plain)) throw new Inconclusive(`refused: ${answerText(plain)}`);
      }
      if (isForbidden(answer)) throw answerFailure(expected, answer, 'header csrfToken');
      if (!isTaken(context, op, answer)) mustSucceed(answer, expected, 'header csrfToken');
      context.witness('pairs');
    });
  },
});

export const ancChecks: readonly Check[] = [...[ancApplies, ancClears, ancCsrf, ancNeighbors, ancCounts]];
