import type { Report } from '../../../lib/records/report.ts';
import { excerpt } from '../../../lib/text.ts';
import { Head } from '../page/head.tsx';

/** What the target does where the specification is silent: facts, never verdicts. */
export function DialectTable({ report }: { report: Report }) {
  const facts = Object.entries(report.conformance?.dialect ?? {});
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="dialect">
      <h2 id="dialect">Dialect</h2>
      <p class="soft">What this deployment does where the specification is silent. Recorded, never judged.</p>
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
                </td>
                <td>{id}</td>
                <td>{evidence.slice(0, 4).join(' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
