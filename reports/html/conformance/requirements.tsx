import type { Report } from '../../../lib/records/report.ts';
import { Mark } from '../page/mark.tsx';
import { Section, Table } from '../page/parts.tsx';

/** Every requirement of the catalogue with its verdict; what was not tested says why. */
export function Requirements({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const judged = new Map(report.conformance.requirements.map((requirement) => [requirement.id, requirement]));
  const { requirements } = report.catalogue;
  const why = (untestable: string) => <span class="soft"> · not decided by a check: {untestable}</span>;
  return (
    <Section id="requirements" title={`Requirements (${requirements.length})`}>
      <details class="card" open={requirements.length <= 40}>
        <summary>The specification as requirements: level, text, verdict</summary>
        <Table
          rows={requirements}
          columns={[
            ['Verdict', ({ id }) => <Mark verdict={judged.get(id)?.verdict ?? 'not-tested'} />],
            ['Id', ({ id }) => id, 'row'],
            ['Level', ({ level }) => level],
            ['Section', ({ section }) => section],
            ['Text', ({ text, untestable }) => [text, untestable && why(untestable)]],
            ['Results', ({ id }) => judged.get(id)?.results ?? 0, 'figures'],
          ]}
        />
      </details>
    </Section>
  );
}
