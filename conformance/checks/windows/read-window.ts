import { idOf, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import { holds } from '../../kit/contains-subset.ts';
import type { About } from '../../kit/fault.ts';
import { memberDifference } from '../../kit/record/member-failure.ts';
import { shown } from '../../kit/record/record-reads.ts';
import type { Story, StoryRecord } from './story.ts';

/** What a window showed that the writes so far do not explain. */
export interface Difference {
  readonly expected: string;
  readonly observed: string;
  readonly about: Pick<About, 'kind' | 'subject'>;
}

/** One way to see what a write did. */
export interface Window {
  readonly id: string;
  /** Requirement that it breaks where a read by id agrees with the write; absent: that of the write. */
  readonly requirement?: string;
  readonly look: (story: Story, subject: StoryRecord, changed: readonly string[]) => Promise<Difference | undefined>;
}

/** A longer list is not read whole: it moves while it is read. */
export const MOST_PAGES = 12;

/** First member that a record shows otherwise than it was written. */
function wrongMember(record: JsonObject, { fields }: StoryRecord, where: string): Difference | undefined {
  const member = Object.keys(fields).find((each) => !holds(record[each], fields[each]));
  if (member === undefined) return undefined;
  return memberDifference(member, record[member], `${member} ${shown(fields[member])} ${where}`);
}

/** The record itself: its members, or that it is gone. */
export const byRead: Window = {
  id: 'read',
  async look({ scope, family }, subject) {
    const answer = await scope.send('read', { id: subject.id }, family.name);
    const record = isSuccess(answer) ? recordOf(answer) : undefined;
    const isThere = idOf(record) === subject.id;
    if (isThere !== subject.isLive)
      return {
        expected: `${subject.id} ${subject.isLive ? 'there' : 'gone'}`,
        observed: `status ${answer.status}`,
        about: { kind: 'no-effect', subject: 'record' },
      };
    return record !== undefined && isThere ? wrongMember(record, subject, 'in a read') : undefined;
  },
};
