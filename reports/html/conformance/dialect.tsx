import type { Report } from '../../../lib/records/report.ts';
import { excerpt } from '../../../lib/text.ts';
import { Section, Table } from '../page/parts.tsx';

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
