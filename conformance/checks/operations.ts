import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, hasOp, type Op } from '../../lib/contract/types.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import { isTaken, sendAnc } from '../kit/anc.ts';
import { answerText, mustDecide, mustSucceed } from '../kit/answer.ts';
import { type AcknowledgedWrite, type Check, type CheckContext, checkOfEach, notApplicable } from '../kit/check.ts';
import { failure, Inconclusive } from '../kit/fault.ts';
import { freeText, nameOf, updateFields } from '../kit/record/record-reads.ts';
import {
  anyRecord,
  attemptOnly,
  mustTakeClears,
  mustTakeCreates,
  mustTakeDeletes,
} from '../kit/record/write-attempt.ts';
import { freeEndpoint, untilApplied, untilCleared } from './anc/fixture.ts';
import { isReadable } from './common.ts';

type Try = (context: CheckContext) => Promise<Exchange>;

/** Creates with as little as a create needs, with another number, then with every member that has a sample. */
async function tryCreate(context: CheckContext): Promise<Exchange> {
  mustTakeCreates(context);
  let last: Exchange | undefined;
  for (const overrides of [{}, {}, context.run.values.samples(0)]) {
    const { exchange, wasThere } = await attemptOnly(context, {}, overrides);
    last = exchange;
    mustDecide(last);
    if (isSuccess(last) && !wasThere)
      throw new Inconclusive('the create is taken, and its record is not found: record/create judges that');
    if (isSuccess(last)) break;
  }
  return last as Exchange;
}

const tryUpdate =
  (op: 'update' | 'updateByName'): Try =>
  async (context) => {
    const own = await anyRecord(context);
    const fields = updateFields(own, freeText(context, `taken ${context.run.prefix}`, own));
    return context.send(op, { id: own.id, name: nameOf(context, own), fields });
  };

const tryDelete =
  (op: 'delete' | 'deleteByName'): Try =>
  async (context) => {
    mustTakeDeletes(context);
    const own = await anyRecord(context);
    return context.send(op, { id: own.id, name: nameOf(context, own) });
  };

/** Applies or clears. Real deployments are recorded to refuse without a live session and to store anyway. */
const tryAnc =
  (op: 'apply' | 'clear'): Try =>
  async (context) => {
    if (op === 'clear') mustTakeClears(context, false);
    const endpoint = await freeEndpoint(context, op === 'apply' ? 3 : 4);
    const applied = await sendAnc(context, 'apply-by-mac', endpoint);
    const isStored = (await untilApplied(context, endpoint)) !== undefined;
    if (op === 'apply') {
      await sendAnc(context, 'clear-by-mac', endpoint);
      // Whether the list or the apply is to blame is for the checks of the effect to tell.
      if (!isStored && isSuccess(applied)) throw new Inconclusive(`${answerText(applied)}, and no list shows it`);
      if (isStored && !isTaken(context, op, applied))
        throw new Inconclusive(`refused, and stored: ${answerText(applied)}`);
      return applied;
    }
    const cleared = await sendAnc(context, 'clear-by-mac', endpoint);
    if (!isStored) throw new Inconclusive(`nothing could be applied to clear: ${answerText(applied)}`);
    if (!isTaken(context, op, cleared) && (await untilCleared(context, endpoint)) === undefined)
      throw new Inconclusive(`refused, and cleared: ${answerText(cleared)}`);
    return cleared;
  };

const TRIES = {
  create: tryCreate,
  update: tryUpdate('update'),
  updateByName: tryUpdate('updateByName'),
  delete: tryDelete('delete'),
  deleteByName: tryDelete('deleteByName'),
  apply: tryAnc('apply'),
  clear: tryAnc('clear'),
} satisfies Partial<Record<Op, Try>>;
type Tried = keyof typeof TRIES;

/** One variant for each of the operations that the family offers, under the requirement of its row. */
export const variantsOf = <O extends Op>(family: Family, ops: readonly O[]) =>
  ops
    .filter((op) => hasOp(family, op))
    .map((op) => ({ name: op, requirement: opRequirementId(family.name, op), data: op }));

const taken = (kind: string, ops: readonly Tried[], needs: 'own-data' | 'full') =>
  checkOfEach<Tried>({
    id: `operation/${kind}`,
    title: 'a valid request of the operation is accepted',
    requirement: opRequirementId('{family}', ops[0] as Op),
    level: 'stated',
    appliesTo: (family) => ops.some((op) => hasOp(family, op)),
    variants: (family) => variantsOf(family, ops),
    needs,
    async run(context, op) {
      const answer = await TRIES[op](context);
      context.evidence.add(answer);
      const isDone = (op === 'apply' || op === 'clear') && isTaken(context, op, answer);
      if (isDone && !isSuccess(answer)) context.observe('answer to an operation that took effect', answerText(answer));
      else mustSucceed(answer, op === 'apply' ? 'the policy of --policy to be applied' : `a valid ${op} to be taken`);
      context.witness('taken');
    },
  });

/** Each operation that writes takes a valid request: one result for each row of the operations table. */
export const operationChecks = [
  taken('write', ['create', 'update', 'updateByName', 'delete', 'deleteByName'], 'own-data'),
  taken('anc', ['apply', 'clear'], 'full'),
];

/** What fails for no reason that the request or the target gives: a check would take it for a refusal or a late write, and ask again. */
export const steadyCheck = checkOfEach<Op>({
  id: 'operation/steady',
  title: 'no request fails that is taken when it is sent again',
  requirement: opRequirementId('{family}', 'list'),
  level: 'stated',
  appliesTo: () => true,
  variants: (family) => variantsOf(family, family.ops),
  needs: 'read',
  afterAll: true,
  async run(context, op) {
    const { failedOnce, statuses } = context.run.answers();
    const { first, times } = failedOnce(op) ?? {};
    if (first !== undefined) {
      context.evidence.add(first);
      const again = times === 1 ? '' : `; so it was ${times} times in the run`;
      const observed = `${answerText(first)}, and was taken when it was sent again${again}`;
      throw failure('refused', op, 'request', { expected: `each valid ${op} to be taken`, observed });
    }
    const answered = Object.values(statuses[op] ?? {}).reduce((sum, count) => sum + count, 0);
    context.witness('answers', answered);
    return answered > 0 ? undefined : notApplicable(`the run needed no ${op}`);
  },
});

/** What preparation and teardown were told, compared with what they saw. */
const happens = (ops: readonly AcknowledgedWrite[], check: Pick<Check, 'id' | 'appliesTo' | 'needs'>) =>
  checkOfEach<AcknowledgedWrite>({
    ...check,
    title: `each acknowledged ${ops.join(' and ')} in preparation and teardown takes effect`,
    requirement: opRequirementId('{family}', ops[0] as Op),
    level: 'stated',
    variants: (family) => variantsOf(family, ops),
    afterAll: true,
    async run(context, op) {
      const { acknowledged, broken } = context.run.writes(op);
      const [first] = broken;
      if (first !== undefined) {
        context.evidence.add(first.exchange);
        // What was read is in the evidence, and long.
        const what = op === 'delete' ? 'the record can still be read' : first.observed;
        const observed = `${broken.length} of ${acknowledged} did not: ${what}`;
        throw failure('no-effect', op, 'record', { expected: `each acknowledged ${op} to happen`, observed });
      }
      if (acknowledged > 0) context.witness('acknowledged');
      return acknowledged > 0 ? undefined : notApplicable(`the run needed no ${op}`);
    },
  });

export const acknowledgedChecks = [
  happens(['create', 'delete'], { id: 'operation/acknowledged', appliesTo: isReadable, needs: 'own-data' }),
  happens(['apply'], {
    ...{ id: 'operation/acknowledged-anc', needs: 'full' },
    appliesTo: (family) => hasOp(family, 'apply'),
  }),
];
