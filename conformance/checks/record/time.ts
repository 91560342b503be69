import { hasOp } from '../../../lib/contract/types.ts';
import type { Check } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { waitedMs } from '../../kit/poller.ts';

const SOON_MS = 1000;

/** A write shows at the next read, or soon after. */
export const visibleSoon: Check = {
  id: 'record/visible-soon',
  title: 'a created record is readable within the first second',
  requirement: 'FRESH-1',
  level: 'implied',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const { looks = 1 } = await context.fixture();
    const hiddenMs = waitedMs(looks - 1);
    context.observe('milliseconds not visible, at least', hiddenMs);
    if (hiddenMs > SOON_MS) {
      throw new CheckFailure({
        expected: `a created record readable within ${SOON_MS} ms`,
        observed: `not before ${hiddenMs} ms`,
        about: { kind: 'no-effect', operation: 'create', subject: 'record' },
      });
    }
    context.witness('visible');
    return undefined;
  },
};
