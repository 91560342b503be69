import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { walkList } from '../../../lib/wire/list-walk.ts';
import { answerFailure, answerText, mustBeAllowed } from '../../kit/answer.ts';
import { type CheckContext, checkOfEach } from '../../kit/check.ts';
import { Blocked, failure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { requesterOf } from '../../kit/record/finder.ts';
import { clearedAfter, freeEndpoint, ofBoth, onAnc, sendAnc } from './fixture.ts';

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
export const ancCounts = checkOfEach<'apply' | 'clear'>({
  ...onAnc,
  id: 'anc/counts',
  title: 'an apply adds an endpoint to the list, and a clear takes it away',
  appliesTo: (family) =>
    hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'list') && 'macAddress' in fieldsOf(family),
  variants: ofBoth,
  // Not anc/apply and anc/clear: this one sees the same mistakes by another way.
  exercises: ['list'],
  async run(context, op) {
    const endpoint = await freeEndpoint(context, 10);
    const before = await wholeList(context);
    /** Waits until the whole list has some of the ids that it should have. */
    const untilSome = (of: (now: ReadonlySet<string>) => readonly string[]) =>
      context.eventually(async () => {
        const some = of(await wholeList(context));
        return some.length > 0 ? some : undefined;
      });
    await clearedAfter(context, [endpoint], async () => {
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
