import { opRequirementId } from '../../../../lib/contract/requirements.ts';
import { hasOp } from '../../../../lib/contract/types.ts';
import { checkOfEach } from '../../../kit/check.ts';
import { Blocked, CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import { isCreatable } from '../../../kit/fields.ts';
import { WRITES, type Write, writeHistory } from './history.ts';

/** Exchanges of a history that held, kept to show how it began and ended. */
const KEPT = 4;

/** Creates, updates and deletes, one after the other, add up to what reads by id and the list show. */
export const historyAddsUp = checkOfEach<Write>({
  id: 'record/history',
  depth: 'normal',
  title: 'agreement of all reads and lists with a history of writes',
  requirement: opRequirementId('{family}', 'create'),
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read') && hasOp(family, 'list'),
  variants: (family) =>
    WRITES.filter((write) => hasOp(family, write)).map((write) => ({
      name: write,
      data: write,
      requirement: opRequirementId('{family}', write),
    })),
  // Not the checks of the single writes: this one sees the same mistakes by another way.
  dependsOn: ['record/create', 'record/read-listed'],
  exercises: ['create', 'list', 'read'],
  needs: 'own-data',
  async run(context, write) {
    const history = await context.run.shared('history', (scope) => writeHistory(context, scope));
    const { contradiction, held, lists } = history;
    for (const exchange of contradiction?.exchanges ?? history.exchanges.slice(-KEPT)) context.evidence.add(exchange);
    if (contradiction?.after === write) {
      const { expected, observed, about } = contradiction;
      throw new CheckFailure({ expected, observed, about: { ...about, operation: write } });
    }
    if (contradiction !== undefined && held[write] === 0)
      throw new Blocked(`the history ended at a ${contradiction.after}, before a ${write} could be looked at`);
    if (contradiction !== undefined) throw new Inconclusive(`the history ended early, at a ${contradiction.after}`);
    context.witness('looks', held[write]);
    context.witness('lists', lists);
    return undefined;
  },
});
