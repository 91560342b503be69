import { groupBy } from '../../../lib/group-by.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Section, Table } from '../page/parts.tsx';

/** Cells that were not exercised with a witness, grouped by the reason. */
export function Coverage({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { open } = report.conformance.coverage;
  const groups = groupBy(open, ({ state, kind, family, reason }) => JSON.stringify([state, kind, family, reason]));
  return (
    <Section id="coverage" title="Coverage">
      {open.length === 0 ? (
        <p>Every operation, filter and sort of the tables was really tested.</p>
      ) : (
        <Table
          caption="Not really tested; those that cannot be tested do not count against the required 95 %"
          rows={[...groups.values()]}
          columns={[
            ['Family', ([first]) => first?.family, 'row'],
            ['Kind', ([first]) => first?.kind],
            ['Cells', (cells) => cells.map(({ cell }) => cell).join(', ')],
            ['State', ([first]) => first?.state],
            ['Reason', ([first]) => first?.reason],
          ]}
        />
      )}
    </Section>
  );
}
