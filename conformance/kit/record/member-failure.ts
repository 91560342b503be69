import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { Op } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { JsonObject } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../check.ts';
import { type CheckFailure, failure, ToleratedDeviation, type UnreadableRecord } from '../fault.ts';
import type { Subject } from '../subject.ts';
import { shown } from './record-reads.ts';

/**
 * The failure of a member that is absent or another one than expected: `seen` is what it holds, `operation` the write whose value it
 * should show, or the read that shows it; `observed` is shown in place of the value.
 */
export const memberFailure = (
  operation: Op,
  member: string,
  seen: unknown,
  expected: string,
  { observed = shown(seen), subject = `member ${member}` }: { observed?: string; subject?: Subject } = {},
): CheckFailure =>
  failure(seen === undefined ? 'missing' : 'value', operation, subject, { expected, observed }, { member });

/** The failure of a required member that a record lacks; real deployments are recorded to leave some out. */
export function absentMember(
  { family }: Pick<CheckContext, 'family'>,
  record: JsonObject,
  member: string,
): CheckFailure {
  const observed = `absent from ${shown(record)}`;
  const failed = memberFailure('read', member, undefined, `the member ${member}`, { observed });
  const isTolerated = vendorFacts(family.name).toleratedAbsent?.includes(member) ?? false;
  return isTolerated ? new ToleratedDeviation(failed.facts) : failed;
}

/** A failure of the server itself: no valid request is a reason for one. Source: "What the service does". */
export const isServerFault = ({ status }: { readonly status?: number | undefined }): boolean =>
  status === 500 || status === 501;

/** The failure of a read that the server fails at, although the list shows the record. */
export const unreadable = ({ message }: UnreadableRecord, family: string): CheckFailure =>
  failure('no-effect', 'read', 'record', {
    expected: 'a record that can be found and read',
    observed: message,
    requirement: opRequirementId(family, 'read'),
  });
