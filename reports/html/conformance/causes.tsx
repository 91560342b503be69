import type { Cause } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import { counted, some } from '../../../lib/text.ts';
import { type Column, Section, Table } from '../page/parts.tsx';

type Shown = Pick<Cause, 'id' | 'title' | 'families' | 'results'> & Partial<Pick<Cause, 'expected'>>;

export const CAUSE_COLUMNS = {
  cause: [
    'Cause',
    ({ id, title, expected }) => (
      <>
        {title}
        <br />
        <small class="soft">
          <code>{id}</code>
          {expected === true ? ' · expected' : ''}
        </small>
      </>
    ),
    'row',
  ],
  families: ['Families', ({ families }) => some(families, 6)],
  results: ['Results', ({ results }) => results.length, 'figures'],
} as const satisfies Readonly<Record<string, Column<Shown>>>;

export function Causes({ report }: { report: Report }) {
  const causes = report.conformance?.causes ?? [];
  if (causes.length === 0) return null;
  const texts = new Map(report.catalogue.requirements.map(({ id, text }) => [id, text]));
  const total = causes.reduce((sum, { results }) => sum + results.length, 0);
  // A pattern such as OP-*-U stands for the requirement of each family: that of the first is shown.
  const textOf = ({ requirements: [pattern = ''], families }: Cause) =>
    texts.get(pattern.replace('*', families[0] ?? '*'));
  return (
    <Section
      id="causes"
      title={`${counted(causes.length, 'cause')}, ${counted(total, 'result')}`}
      lead="Failures of the same operation, kind of difference and subject have one cause if they share the requirement or the family. A baseline entry names these four."
    >
      <Table
        isStacked
        rows={causes}
        tone={({ expected }) => (expected ? '' : 'bad')}
        columns={[
          CAUSE_COLUMNS.cause,
          [
            'Requirement',
            (cause) => [`${textOf(cause) ?? ''} `, <small class="soft">{some(cause.requirements, 4)}</small>],
          ],
          CAUSE_COLUMNS.families,
          ['Checks', ({ checks }) => some(checks, 3)],
          CAUSE_COLUMNS.results,
        ]}
      />
    </Section>
  );
}
