import type { Exchange } from '../../../lib/client/types.ts';
import { isForbidden, isOverloaded, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure } from '../../kit/answer.ts';
import { bulkRunOf, submitElsewhere, submitPlain, toldId } from '../../kit/bulk.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { mustBeTaken, onBulk } from './submits.ts';

/** The answer of a monitor is about the request that it was asked for, if it says which. */
export function mustTellOf(id: string, answer: Exchange): void {
  const told = toldId(answer);
  if (told === undefined || told === id) return;
  throw new CheckFailure({
    expected: `the status of ${id}`,
    observed: `that of ${shown(told)}`,
    about: { kind: 'value', operation: 'bulkMonitor', subject: 'bulk id' },
  });
}

/** The second of two requests has an id that the first one had not. */
export const bulkOwnIds: Check = {
  ...onBulk,
  id: 'bulk/own-ids',
  title: 'two bulk requests have ids of their own, and both are known to the monitor',
  dependsOn: ['bulk/submit'],
  exercises: ['bulkSubmit'],
  async run(context) {
    const first = await bulkRunOf(context);
    mustBeTaken(first);
    // A target takes one request at a time: bulk/completes judges one that does not end.
    if (first.state === 'running') throw new Inconclusive('the first request still runs');
    const second = await submitPlain(context);
    mustBeTaken(second);
    if (first.id === undefined || second.id === undefined) throw new Inconclusive('no id is answered to compare');
    if (first.id === second.id)
      throw new CheckFailure({
        expected: 'two ids for two bulk requests',
        observed: `${first.id} twice`,
        about: { kind: 'value', operation: 'bulkSubmit', subject: 'bulk id' },
      });
    for (const answer of second.monitored.filter(isSuccess)) mustTellOf(second.id, answer);
    context.witness('ids', 2);
    // A monitor that knows nothing but the last request, of any family, forgets those before it.
    if (!first.monitored.some(isSuccess)) return undefined;
    await submitElsewhere(context, first.operationType);
    const later = await context.send('bulkMonitor', { bulkId: first.id });
    if (!isSuccess(later) && !isForbidden(later) && !isOverloaded(later))
      throw answerFailure(`the monitor to know ${first.id} after another request too`, later, { subject: 'bulk id' });
    mustTellOf(first.id, later);
    return undefined;
  },
};
