import { notTestable } from '../../../lib/judge/conformance/not-testable.ts';
import type { Report } from '../../../lib/records/report.ts';
import { some } from '../../../lib/text.ts';
import { Section, Table } from '../page/parts.tsx';

/** Results that this target cannot show, by what would make them testable. */
export function NotTestable({ report }: { report: Report }) {
  const groups = notTestable(report);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <Section
      id="not-testable"
      title={`Not testable on this target (${total})`}
      lead="Nothing went wrong here, and none of it fails the run: the target or the mode cannot show it."
    >
      <Table
        rows={groups}
        columns={[
          ['It needs', ({ needs }) => needs, 'row'],
          ['Results', ({ results }) => results.length, 'figures'],
          ['Families', ({ families }) => some(families, 12)],
          ['Checks', ({ checks }) => some(checks, 8)],
          ['Why', ({ reasons }) => some(reasons, 4)],
        ]}
      />
    </Section>
  );
}
