import { inert } from '../../lib/text.ts';
import { Lines, Top } from '../../reports/html/page/parts.tsx';
import { pageText } from '../../reports/html/page/shell.tsx';
import type { HistoryReport } from '../model/schema.ts';
import { answerOf } from './answer.ts';
import { ExpectedSection, FailingSection, FlakesSection, NightsSection, SeriesSection } from './sections.tsx';
import { StripSection } from './strip.tsx';

const LONGEST = 300;

const OWN_STYLE = `
.nights th[scope=row]{white-space:nowrap;font-weight:500;font-size:13px}.nights td,.nights th{padding:2px 8px;vertical-align:middle}.nights svg{display:block}
.row{display:flex}.n{flex:none;width:5px;height:18px;margin-right:1px;background:var(--good)}.n-fail{background:var(--bad)}.n-open{background:var(--open);height:12px;margin-top:6px}.n-pass{height:6px;margin-top:12px}.n-uncounted{background:none;border:1px dashed var(--mute)}
.h-fail{fill:var(--bad)}.h-flaky{fill:var(--open)}.h-expected{fill:var(--hold)}.h-open{fill:var(--mute)}.h-pass{fill:var(--good)}
.lines td:nth-child(-n+2){white-space:nowrap}.tag{color:var(--open);font-weight:600}.list{padding-left:18px}.list li{margin:0 0 10px;overflow-wrap:anywhere}tr:target>td{outline:2px solid var(--link)}
@media print{.n,.nights rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}.nights{table-layout:fixed}.nights thead th:first-child{width:32%}.nights thead th:nth-child(2){width:7%}.nights th[scope=row]{white-space:normal;overflow-wrap:anywhere;font-size:8px}
.nights svg{width:100%;height:12px}.n{flex:1 1 0;width:auto;min-width:0;margin:0}section:has(>#all-nights){display:none!important}section:has(>#load) .charts{grid-template-columns:repeat(4,1fr);gap:6px}section:has(>#load) figcaption{font-size:7.5px}}
`;

/** `history.html`: one file, without network and without script. `kept` are run folders that are still there. */
export function renderHistoryHtml(given: HistoryReport, kept: ReadonlySet<string> = new Set()): string {
  const report = inert(given, LONGEST);
  const { word, tone, lines } = answerOf(report);
  return pageText({
    title: `${word} · ${report.target}`,
    style: OWN_STYLE,
    top: (
      <Top tone={tone} brand={`ers-harness · history of ${report.target}`}>
        <h1>{word}</h1>
        <Lines class="why" lines={lines} />
      </Top>
    ),
    footer: 'This page loads nothing, sends nothing and runs no script.',
    children: (
      <>
        <FailingSection report={report} />
        <StripSection report={report} />
        <FlakesSection report={report} />
        <ExpectedSection report={report} />
        <SeriesSection report={report} />
        <NightsSection report={report} kept={kept} />
      </>
    ),
  });
}
