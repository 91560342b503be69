import type { Op } from '../../../lib/contract/types.ts';
import { CheckFailure } from '../fault.ts';
import type { Subject } from '../subject.ts';
import { shown } from './record-reads.ts';

/** A member of a record that is absent, or is not as it should be; `seen` is what it holds. */
export interface WrongMember {
  /** The write whose value it should show, or the read that shows it. */
  readonly operation: Op;
  readonly member: string;
  readonly seen: unknown;
  readonly expected: string;
  /** What is shown in place of the value itself. */
  readonly observed?: string;
  /** What it is about, if not the member as such: a class of texts, a header. */
  readonly subject?: Subject;
}

/** The failure of a member that is absent or another one than expected. */
export function memberFailure({ operation, member, seen, expected, observed, subject }: WrongMember): CheckFailure {
  const kind = seen === undefined ? 'missing' : 'value';
  const about = { kind, operation, subject: subject ?? `member ${member}` } as const;
  return new CheckFailure({ expected, observed: observed ?? shown(seen), about });
}
