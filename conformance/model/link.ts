import { endOf } from '../../lib/wire/answer.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import type { Known } from './history.ts';
import type { ListFacts } from './list.ts';

/**
 * The link of a record or of its entry that leads to another record, or nowhere while others lead to theirs. *Implied*: none is shown, so
 * that links may have any form.
 */
export function linkFault(
  known: Known,
  href: string | undefined,
  {
    operation,
    requirement,
    family,
    isRecord,
    isDead,
  }: {
    readonly isDead: ListFacts['isDead'];
    readonly operation: 'list' | 'read';
    readonly requirement: string;
    readonly family: string;
    /** True for the id of a record: the link may lead to no other than its own. */
    readonly isRecord: (id: string) => boolean;
  },
): Difference | undefined {
  const last = href === undefined ? undefined : endOf(href);
  const isWrong = last !== undefined && last !== known.id && isRecord(last);
  if (!isWrong && isDead?.(family, { id: known.id, href }) !== true) return undefined;
  return {
    ...{ requirement, family, about: { kind: 'value', operation, subject: 'links' } },
    expected: `a link to the record ${known.id} in ${operation === 'list' ? 'its entry' : 'a read of it'}`,
    observed: shown(href),
  };
}
