import { counted } from '../../../lib/numbers.ts';
import type { Cause } from '../../../lib/records/cause.ts';
import type { Report } from '../../../lib/records/report.ts';
import { some } from '../../../lib/text.ts';
import { Head } from '../page/head.tsx';

function Row({ cause, texts }: { cause: Cause; texts: ReadonlyMap<string, string> }) {
  const { id, title, requirements, families, checks, results, expected } = cause;
  // A pattern such as OP-*-U stands for the requirement of each family: that of the first is shown.
  const text = requirements
    .slice(0, 1)
    .map((pattern) => texts.get(pattern.replace('*', families[0] ?? '*')))
    .find((words) => words !== undefined);
  return (
    <tr class={expected ? '' : 'bad'}>
      <th scope="row">
        {title}
        <br />
        <small class="soft">
          <code>{id}</code>
          {expected ? ' · expected' : ''}
        </small>
      </th>
      <td>
        {text === undefined ? '' : `${text} `}
        <small class="soft">{some(requirements, 4)}</small>
      </td>
      <td>{some(families, 6)}</td>
      <td>{some(checks, 3)}</td>
      <td class="num">{results.length}</td>
    </tr>
  );
}

/** The failures by probable cause: what somebody has to mend, before the single results. */
export function Causes({ report }: { report: Report }) {
  const causes = report.conformance?.causes ?? [];
  if (causes.length === 0) return null;
  const texts = new Map(report.catalogue.requirements.map(({ id, text }) => [id, text]));
  const total = causes.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">
        {counted(causes.length, 'cause')}, {counted(total, 'result')}
      </h2>
      <p class="soft">
        Failures of the same operation, kind of difference and subject have one cause if they share the requirement or
        the family. A baseline entry names these four.
      </p>
      <div class="wide" tabindex={0}>
        <table class="causes">
          <Head columns={['Cause', 'Requirement', 'Families', 'Checks', { figures: 'Results' }]} />
          <tbody>
            {causes.map((cause) => (
              <Row cause={cause} texts={texts} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
