import { FILES } from '../../../lib/records/folder/files.ts';
import type { Report } from '../../../lib/records/report.ts';
import { reproduceCommand } from '../../model/command-line.ts';
import { Lines, Section } from './parts.tsx';

const METHOD: readonly string[] = [
  'Passed means really tested: a filter check must have seen a match and a non-match, and a negative check needs a positive control.',
  'The level of a requirement caps its verdict: a stated requirement can fail, an implied one can only warn, gaps and advice are only recorded.',
  'Load is an open model: arrivals keep their rate whether or not earlier ones were answered. Response time counts from the intended start; an arrival that never got a connection ranks above every served one.',
  'Percentiles are never averaged. Invalid means that the generator or the run was at fault; it says nothing about the target.',
  'A success status of apply or clear proves that the service accepted the request. Read-back proves that it lists the endpoint accordingly. Neither proves that the network enforces it on the switch or the access point.',
];

const DECLARED = 'Sessions and nodes of a deployment size are declared by the operator and not verified.';

/** How the figures came about, what they do not prove, and how to get them again. */
export function Method({ report }: { report: Report }) {
  const { environment, target } = report.run;
  return (
    <Section id="method" title="Method, and what it does not prove">
      <Lines lines={[...METHOD, ...(target.embedded ? [] : [DECLARED])]} />
      <h3>Run it again</h3>
      <pre>{reproduceCommand(report)}</pre>
      <p class="small soft">
        Credentials come from ERS_USERNAME and ERS_PASSWORD, or the file that ERS_CREDENTIALS_FILE names. Every figure
        of this page is made from the records {report.redaction === undefined ? 'beside it' : 'of the run'} (
        {FILES.results}, {FILES.exchanges}, {FILES.cells}/): make it again with <code>ers-harness report render</code>{' '}
        and {report.redaction === undefined ? 'this' : 'its'} folder; the target is not touched.
      </p>
      <h3>Machine of the generator</h3>
      <p class="small">
        {Object.entries(environment)
          .map(([name, value]) => `${name}: ${value}`)
          .join(' · ')}
      </p>
    </Section>
  );
}
