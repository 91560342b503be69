import type { Report } from '../../../lib/records/report.ts';

/** Links to the parts of the page that this run has. */
export function Contents({ report }: { report: Report }) {
  const { conformance, load, capacity, catalogue } = report;
  const isHidden = conformance?.results.some(({ verdict }) => verdict === 'not-testable') === true;
  const dialect = conformance !== null && Object.keys(conformance.dialect).length > 0;
  const parts: readonly (readonly [string, string, boolean])[] = [
    ['load', 'Load', load !== null],
    ['capacity', 'Capacity', capacity !== undefined],
    ['causes', 'Causes', (conformance?.causes.length ?? 0) > 0],
    ['counts', 'Results', conformance !== null],
    ['matrix', 'Families', conformance !== null],
    ['pairs', 'Pairs of conditions', (conformance?.pairs.length ?? 0) > 0],
    ['findings', 'Findings', conformance !== null],
    ['not-testable', 'Not testable', isHidden],
    ['coverage', 'Coverage', conformance !== null],
    ['requirements', 'Requirements', conformance !== null],
    ['dialect', 'Dialect', dialect],
    ['suite', 'Suite quality', conformance !== null && catalogue.suite !== undefined],
    ['results', 'All results', conformance !== null],
    ['cleanup', 'Cleanup', true],
    ['assumptions', 'Assumptions', catalogue.assumptions.length > 0],
    ['method', 'Method', true],
    ['run', 'The run', true],
  ];
  return (
    <nav class="page" aria-label="Parts of the report">
      <ul class="in">
        {parts
          .filter(([, , there]) => there)
          .map(([anchor, words]) => (
            <li>
              <a href={`#${anchor}`}>{words}</a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
