import { statementText } from '../../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { BaselineTable } from '../conformance/baseline.tsx';
import { Causes } from '../conformance/causes.tsx';
import { Counts } from '../conformance/counts.tsx';
import { Coverage } from '../conformance/coverage.tsx';
import { DialectTable } from '../conformance/dialect.tsx';
import { Findings } from '../conformance/findings.tsx';
import { MatrixTable } from '../conformance/matrix.tsx';
import { NotTestable } from '../conformance/not-testable.tsx';
import { Pairs } from '../conformance/pairs.tsx';
import { Requirements } from '../conformance/requirements.tsx';
import { ResultsTable } from '../conformance/results-table.tsx';
import { SuiteQuality } from '../conformance/suite-quality.tsx';
import { Capacity } from '../load/capacity.tsx';
import { Load } from '../load/load.tsx';
import { Banner, RunFacts } from './banner.tsx';
import { Cleanup } from './cleanup.tsx';
import { Contents } from './contents.tsx';
import { Sprite } from './mark.tsx';
import { Notes } from './notes.tsx';
import { SCRIPT } from './script.ts';
import { Shell } from './shell.tsx';

/** The whole page. Every text in `report` and `exchanges` must have been made inert before. */
export function Page({ report, exchanges }: { report: Report; exchanges: readonly ExchangeRecord[] }) {
  return (
    <Shell
      title={`${statementText(report.answer.sentence)} · ${report.run.runId}`}
      script={SCRIPT}
      top={
        <>
          <Sprite />
          <Banner report={report} />
          <Contents report={report} />
        </>
      }
      footer={
        <>
          {report.run.tool.name} {report.run.tool.version} · run {report.run.runId} · exit {report.exit.code} · this
          page loads nothing and sends nothing
        </>
      }
    >
      <Load report={report} />
      <Capacity report={report} />
      <Causes report={report} />
      <BaselineTable report={report} />
      <Counts report={report} />
      <MatrixTable report={report} />
      <Pairs report={report} />
      <Findings report={report} exchanges={exchanges} />
      <NotTestable report={report} />
      <Coverage report={report} />
      <Requirements report={report} />
      <DialectTable report={report} />
      <SuiteQuality report={report} />
      <ResultsTable report={report} />
      <Cleanup report={report} />
      <Notes report={report} />
      <RunFacts report={report} />
    </Shell>
  );
}
