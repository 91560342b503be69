import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { BaselineTable } from '../conformance/baseline.tsx';
import { Causes } from '../conformance/causes.tsx';
import { Counts } from '../conformance/counts.tsx';
import { Coverage } from '../conformance/coverage.tsx';
import { DialectTable } from '../conformance/dialect.tsx';
import { Findings } from '../conformance/findings.tsx';
import { MatrixTable } from '../conformance/matrix.tsx';
import { Requirements } from '../conformance/requirements.tsx';
import { ResultsTable } from '../conformance/results-table.tsx';
import { SuiteQuality } from '../conformance/suite-quality.tsx';
import { Capacity } from '../load/capacity.tsx';
import { Load } from '../load/load.tsx';
import { Banner, headline } from './banner.tsx';
import { Cleanup } from './cleanup.tsx';
import { Contents } from './contents.tsx';
import { Sprite } from './mark.tsx';
import { Notes } from './notes.tsx';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing may be loaded, sent or framed; only our own style and script run, by their digests. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src ${digest(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The whole page. Every text in `report` and `exchanges` must have been made inert before. */
export function Page({ report, exchanges }: { report: Report; exchanges: readonly ExchangeRecord[] }) {
  const { text } = headline(report);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${text} · ${report.run.runId}`}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Sprite />
        <Banner report={report} />
        <Contents report={report} />
        <main id="content" class="in" tabindex={-1}>
          <Cleanup report={report} />
          <Load report={report} />
          <Capacity report={report} />
          <Causes report={report} />
          <BaselineTable report={report} />
          <Counts report={report} />
          <MatrixTable report={report} />
          <Findings report={report} exchanges={exchanges} />
          <Coverage report={report} />
          <Requirements report={report} />
          <DialectTable report={report} />
          <SuiteQuality report={report} />
          <ResultsTable report={report} />
          <Notes report={report} />
        </main>
        <footer class="in">
          {report.run.tool.name} {report.run.tool.version} · run {report.run.runId} · exit {report.exit.code} · this
          page loads nothing and sends nothing
        </footer>
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  );
}
