import { entryName, isReasonMissing } from '../../../lib/judge/conformance/baseline/known.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Section, Table } from '../page/parts.tsx';

const MEANINGS = {
  expected: 'fails as expected',
  stale: 'passes now; remove it',
  expired: 'still fails after its last day',
  unused: 'not decided by this run',
} as const;

/** What became of the failures that the run was told to expect. */
export function BaselineTable({ report }: { report: Report }) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return null;
  const { file, entries, unexpected, consequences } = baseline;
  return (
    <Section
      id="baseline"
      title={`Expected failures (${entries.length})`}
      lead={`From ${file}. New failures, not expected by it: ${unexpected.length}. Results that expected failures keep from being proven: ${consequences.length}.`}
    >
      <Table
        rows={entries}
        columns={[
          ['Outcome', ({ outcome }) => [<b>{outcome}</b>, `: ${MEANINGS[outcome]}`]],
          ['Expected', entryName],
          ['Reason', (entry) => (isReasonMissing(entry) ? <b>reason missing</b> : entry.reason)],
          ['Owner', ({ owner }) => owner ?? '—'],
          ['Link', ({ link }) => link ?? '—'],
          ['Expires', ({ expires }) => expires],
        ]}
      />
    </Section>
  );
}
