import { changedName, entryName, isReasonMissing } from '../../../lib/judge/conformance/baseline/known.ts';
import type { Report } from '../../../lib/records/report.ts';
import { excerpt } from '../../../lib/text.ts';
import { Mark } from '../page/mark.tsx';
import { Section, Table } from '../page/parts.tsx';

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

/** A form of a create that the target took, as a file for `--template`; nothing for other answers. */
function Template({ answer }: { answer: unknown }) {
  const template = typeof answer === 'object' && answer !== null && 'template' in answer ? answer.template : undefined;
  if (template === undefined) return null;
  return (
    <details>
      <summary>template: save it as a file for --template</summary>
      <pre>{JSON.stringify(template, null, 2)}</pre>
    </details>
  );
}

const answerText = (answer: unknown): string =>
  excerpt(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? 'not known'), 300);

/** What the target does where the specification is silent: facts, never verdicts. */
export function DialectTable({ report }: { report: Report }) {
  const facts = Object.entries(report.conformance?.dialect ?? {});
  if (facts.length === 0) return null;
  return (
    <Section
      id="dialect"
      title="How this deployment answers where the text is silent (dialect)"
      lead="Recorded, never judged."
    >
      <details class="card">
        <summary>All {facts.length} answers</summary>
        <Table
          rows={facts}
          columns={[
            ['Question', ([, { question }]) => question, 'row'],
            ['Answer', ([, { answer }]) => [<code>{answerText(answer)}</code>, <Template answer={answer} />]],
            ['Fact', ([id]) => id],
            ['Exchanges', ([, { evidence }]) => evidence.slice(0, 4).join(' ')],
          ]}
        />
      </details>
    </Section>
  );
}

const MEANINGS = {
  expected: 'fails as expected',
  stale: 'passes now; remove it',
  expired: 'still fails after its last day',
  changed: 'fails in another way',
  unused: 'not decided by this run',
} as const;

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
          ['Expected', (entry) => (entry.outcome === 'changed' ? changedName(entry) : entryName(entry))],
          ['Reason', (entry) => (isReasonMissing(entry) ? <b>reason missing</b> : entry.reason)],
          ['Owner', ({ owner }) => owner ?? '—'],
          ['Link', ({ link }) => link ?? '—'],
          ['Expires', ({ expires }) => expires],
        ]}
      />
    </Section>
  );
}
