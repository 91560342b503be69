import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { CheckFailure, type UnreadableRecord } from '../fault.ts';

/** A failure of the server itself: no valid request is a reason for one. Source: "What the service does". */
export const isServerFault = ({ status }: { readonly status?: number | undefined }): boolean =>
  status === 500 || status === 501;

/** The failure of a read that the server fails at, although the list shows the record. */
export const unreadable = ({ message }: UnreadableRecord, family: string): CheckFailure =>
  new CheckFailure({
    expected: 'a record that can be found and read',
    observed: message,
    about: { kind: 'no-effect', operation: 'read', subject: 'record' },
    requirement: opRequirementId(family, 'read'),
  });
