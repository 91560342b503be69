import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { walkList } from '../../../lib/wire/list-walk.ts';
import { answerFailure, answerText } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { Blocked, CheckFailure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { requesterOf } from '../../kit/list/list-reader.ts';
import { freeEndpoint, sendAnc } from './fixture.ts';

const PAGE_SIZE = 100;
/** A longer list of endpoints is not read whole: it moves while it is read. */
const MOST_PAGES = 20;

/** Ids of the whole list of endpoints. Throws `Inconclusive` where it cannot be read to its end. */
async function wholeList(context: CheckContext): Promise<ReadonlySet<string>> {
  const result = await walkList(
    requesterOf(context),
    { list: { size: PAGE_SIZE } },
    { pages: MOST_PAGES, anySize: true },
  );
  if (result.refused !== undefined) throw new Inconclusive(`the list cannot be read: ${answerText(result.refused)}`);
  if (result.cut !== undefined)
    throw new NotTestable(
      `the list is longer than ${MOST_PAGES} pages`,
      `a list of at most ${MOST_PAGES * PAGE_SIZE} endpoints`,
    );
  return new Set(result.ids);
}

/** What an apply adds to the whole list of endpoints, and a clear takes from it: no filter and no record is looked at. */
const ancCounts = checkOfEach<'apply' | 'clear'>({
  id: 'anc/counts',
  title: 'an apply adds an endpoint to the list, and a clear takes it away',
  requirement: 'SPC-ANC',
  level: 'stated',
  appliesTo: (family) =>
    hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'list') && 'macAddress' in fieldsOf(family),
  variants: () => (['apply', 'clear'] as const).map((op) => ({ name: op, data: op })),
  // Not anc/apply and anc/clear: this one sees the same mistakes by another way.
  exercises: ['list'],
  needs: 'full',
  async run(context, op) {
    const endpoint = await freeEndpoint(context, 10);
    const before = await wholeList(context);
    try {
      const applied = await sendAnc(context, 'apply-by-mac', endpoint);
      if (isForbidden(applied)) throw new Blocked(`no permission: ${answerText(applied)}`);
      // Records of others may come at the same time: that at least one came is what an apply owes.
      const added = await context.eventually(async () => {
        const now = await wholeList(context);
        const fresh = [...now].filter((id) => !before.has(id));
        return fresh.length > 0 ? fresh : undefined;
      });
      if (added === undefined) {
        // Without a live session real deployments answer an error: the checks of the operations judge that.
        if (!isSuccess(applied)) throw new Inconclusive(`refused: ${answerText(applied)}`);
        if (op === 'clear') throw new Blocked('an apply adds nothing to the list that a clear could take away');
        throw answerFailure(`a list of more than ${before.size} endpoints`, applied, {
          subject: 'list',
          effect: 'none was added',
        });
      }
      if (op === 'apply') {
        context.witness('added', added.length);
        return undefined;
      }
      const cleared = await sendAnc(context, 'clear-by-mac', endpoint);
      const removed = await context.eventually(async () => {
        const now = await wholeList(context);
        const gone = added.filter((id) => !now.has(id));
        return gone.length > 0 ? gone : undefined;
      });
      if (removed === undefined) {
        if (!isSuccess(cleared)) throw new Inconclusive(`refused: ${answerText(cleared)}`);
        throw new CheckFailure({
          expected: `a list without ${added.join(', ')}`,
          observed: `${answerText(cleared)}, and all of it is there`,
          about: { kind: 'no-effect', operation: 'clear', subject: 'list' },
          difference: { missing: [], extra: added },
        });
      }
      context.witness('removed', removed.length);
      return undefined;
    } finally {
      await sendAnc(context, 'clear-by-mac', endpoint).catch(() => undefined);
    }
  },
});

export const ancListChecks: readonly Check[] = [ancCounts];
