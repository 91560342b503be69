import { groupBy } from '../../../lib/group-by.ts';
import { testedWords } from '../../../lib/judge/conformance/coverage.ts';
import { untested } from '../../../lib/judge/conformance/unproven.ts';
import type { Cause } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import { count, counted, some } from '../../../lib/text.ts';
import { missingWords, pairShare } from '../../model/pairs.ts';
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

export function NotTested({ report }: { report: Report }) {
  const groups = untested(report);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <Section
      id="not-testable"
      title={`Not tested (${total})`}
      lead="Nothing went wrong here, and none of it fails the run: this target or this mode cannot show it, or it did not come up."
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

export function Coverage({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { coverage } = report.conformance;
  const { open } = coverage;
  const groups = groupBy(open, ({ state, kind, family, reason }) => JSON.stringify([state, kind, family, reason]));
  return (
    <Section id="coverage" title="Coverage" lead={`Really tested: ${testedWords(coverage)}.`}>
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

export function Pairs({ report }: { report: Report }) {
  const families = report.conformance?.pairs ?? [];
  if (families.length === 0) return null;
  return (
    <Section
      id="pairs"
      title="Pairs of conditions tried"
      lead="Most mistakes need two conditions at most, such as a renamed record and a sorted list. A pair counts as tried if both came about in one sequence of requests, and what the target showed after it was judged."
    >
      <Table
        isStacked
        rows={families}
        columns={[
          ['Family', ({ family }) => family, 'row'],
          ['Kinds of conditions', ({ factors }) => factors, 'figures'],
          ['Conditions', ({ levels }) => levels, 'figures'],
          ['Pairs possible here', ({ possible }) => count(possible), 'figures'],
          ['Tried', ({ exercised }) => count(exercised), 'figures'],
          ['Share', pairShare, 'figures'],
          ['Not tried, because', ({ missing }) => missingWords(missing, 6)],
        ]}
      />
    </Section>
  );
}
