import { hasOp } from '../../../lib/contract/types.ts';
import { mustSucceed } from '../../kit/answer.ts';
import type { BulkRun } from '../../kit/bulk.ts';
import type { Check } from '../../kit/check.ts';

/** True for a family that takes bulk requests and tells of them. */
export const submits: Check['appliesTo'] = (family) => hasOp(family, 'bulkSubmit') && hasOp(family, 'bulkMonitor');

/** What most checks of bulk requests have in common. */
export const onBulk = {
  requirement: 'SPC-BULK',
  level: 'stated',
  appliesTo: submits,
  needs: 'full',
} as const satisfies Partial<Check>;

/** A bulk request under the listed root key, in the words of each deployment, is taken. */
export function mustBeTaken({ submitted }: BulkRun): void {
  mustSucceed(submitted, 'a bulk request with the two listed members under its root key to be taken');
}
