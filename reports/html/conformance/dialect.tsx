import type { Report } from '../../../lib/records/report.ts';
import { excerpt } from '../../../lib/text.ts';
import { Head } from '../page/head.tsx';

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

/** What the target does where the specification is silent: facts, never verdicts. */
export function DialectTable({ report }: { report: Report }) {
  const facts = Object.entries(report.conformance?.dialect ?? {});
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="dialect">
      <h2 id="dialect">How this deployment answers where the text is silent (dialect)</h2>
      <p class="soft">Recorded, never judged.</p>
      <details class="card">
        <summary>All {facts.length} answers</summary>
        <div class="wide" tabindex={0}>
          <table>
            <Head columns={['Question', 'Answer', 'Fact', 'Exchanges']} />
            <tbody>
              {facts.map(([id, { question, answer, evidence }]) => (
                <tr>
                  <th scope="row">{question}</th>
                  <td>
                    <code>
                      {excerpt(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? 'not known'), 300)}
                    </code>
                    <Template answer={answer} />
                  </td>
                  <td>{id}</td>
                  <td>{evidence.slice(0, 4).join(' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
