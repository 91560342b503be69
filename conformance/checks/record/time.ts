import { hasOp } from '../../../lib/contract/types.ts';
import { idOf } from '../../../lib/wire/answer.ts';
import type { Check } from '../../kit/check.ts';
import { type About, CheckFailure, LostRecord, Refused } from '../../kit/fault.ts';
import { isCreatable, nameMember } from '../../kit/fields.ts';
import { waitedMs } from '../../kit/poller.ts';
import { nameOf, readRecord, shown } from '../../kit/record/record-reads.ts';

const SOON_MS = 1000;
const CREATES = 5;

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
    context.observe('milliseconds until visible, at least', waitedMs(looks));
    if (waitedMs(looks) > SOON_MS) {
      throw new CheckFailure({
        expected: `a created record readable within ${SOON_MS} ms`,
        observed: `not before ${waitedMs(looks)} ms`,
        about: { kind: 'no-effect', operation: 'create', subject: 'record' },
      });
    }
    context.witness('visible');
    return undefined;
  },
};

const parallel = (kind: About['kind'], expected: string, observed: string) =>
  new CheckFailure({ expected, observed, about: { kind, operation: 'create', subject: 'parallel requests' } });

/** Creates that cross each other lose nothing. */
export const parallelCreates: Check = {
  id: 'concurrency/parallel-creates',
  title: 'records created at the same time exist, and have ids of their own',
  requirement: 'SVC-1',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read'),
  dependsOn: ['record/create'],
  exercises: ['create'],
  needs: 'own-data',
  async run(context) {
    const tries = await Promise.allSettled(Array.from({ length: CREATES }, () => context.fixture()));
    const lost = tries.flatMap((made) => (made.status === 'rejected' ? [made.reason as unknown] : []));
    const gone = lost.find((fault) => fault instanceof LostRecord);
    if (gone !== undefined)
      throw parallel('no-effect', `${CREATES} records`, `${lost.length} lost: ${(gone as Error).message}`);
    const refused = lost.find((fault) => fault instanceof Refused);
    // One at a time they are taken: record/create has held.
    if (refused !== undefined)
      throw parallel('refused', `${CREATES} creates at the same time taken`, (refused as Error).message);
    if (lost.length > 0) throw lost[0];
    const owns = tries.flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
    const ids = new Set(owns.map(({ id }) => id));
    if (ids.size < owns.length)
      throw parallel('value', `${CREATES} different ids`, `${ids.size}: ${[...ids].join(', ')}`);
    const member = nameMember(context.family) ?? 'name';
    for (const own of owns) {
      const { record } = await readRecord(context, own);
      if (idOf(record) !== own.id || record?.[member] !== nameOf(context, own)) {
        const observed = shown({ id: idOf(record), [member]: record?.[member] });
        throw parallel('value', `${own.id} named ${nameOf(context, own)}`, observed);
      }
      context.witness('records');
    }
    return undefined;
  },
};
