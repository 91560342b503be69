import { excerpt, inert, visibleText } from '../../lib/text.ts';
import type { Change, ConformanceComparison } from './conformance.ts';

/** Results listed of each kind; the rest are counted. */
const LISTED = 20;

function listed(words: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const lines = changes
    .slice(0, LISTED)
    .map(
      ({ key, title, before, after, flaky }) =>
        `  ${key}: ${before ?? 'not there'} → ${after ?? 'not there'}${flaky === true ? ' (flaky)' : ''}: ${title}`,
    );
  const more = changes.length - lines.length;
  return [`${words}: ${changes.length}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].map((line) =>
    inert(line, 300),
  );
}

/** The comparison for people: what got worse first. */
export function conformanceLines(comparison: ConformanceComparison | null): readonly string[] {
  if (comparison === null) return ['conformance: not in both runs'];
  const { newlyFailing, newRequirements, fixed, stillFailing, newlyNotProven, added, removed, drift } = comparison;
  const flaky = newlyFailing.filter((change) => change.flaky === true);
  const steady = newlyFailing.filter((change) => change.flaky !== true);
  const counts =
    `conformance: ${newlyFailing.length} newly failing${flaky.length === 0 ? '' : ` (${flaky.length} flaky)`}, ${fixed.length} fixed, ${stillFailing.length} still failing, ` +
    `${newlyNotProven.length} newly not proven, ${added.length} added, ${removed.length} removed, ${drift.length} drifted`;
  return [
    counts,
    ...listed('newly failing', steady),
    ...listed('newly failing and flaky: passed when tried again in the same run', flaky),
    ...listed('fail for their new requirements alone', newRequirements),
    ...listed('newly not proven', newlyNotProven),
    ...listed('fixed', fixed),
    ...listed('added', added),
    ...listed('removed', removed),
    ...drift.map(({ question, before, after }) =>
      visibleText(excerpt(`drift: ${question} ${JSON.stringify(before)} → ${JSON.stringify(after)}`, 300)),
    ),
  ];
}
