import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import type { Known } from './history.ts';

/** Last part of the path of a link, as text; undefined if there is none. */
function endOf(href: string | undefined): string | undefined {
  const last = href
    ?.split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '');
  try {
    return last === undefined ? undefined : decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The link of a record or of its entry that leads to another record. *Implied*: none is shown, so that links may have any form. */
export function linkFault(
  known: Known,
  href: string | undefined,
  {
    operation,
    requirement,
    family,
    ids,
  }: {
    readonly operation: 'list' | 'read';
    readonly requirement: string;
    readonly family: string;
    /** Ids of records that the link may not lead to. */
    readonly ids: ReadonlySet<string>;
  },
): Difference | undefined {
  const last = endOf(href);
  if (last === undefined || last === known.id || !ids.has(last)) return undefined;
  return {
    ...{ requirement, family, about: { kind: 'value', operation, subject: 'links' } },
    expected: `a link to the record ${known.id} in ${operation === 'list' ? 'its entry' : 'a read of it'}`,
    observed: shown(href),
  };
}
