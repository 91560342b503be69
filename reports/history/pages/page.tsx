import { counted, inert, instant, ms, percent } from '../../../lib/text.ts';
import { Chart, Grid, Limit, Path, plotOf } from '../../charts/frame.tsx';
import { Blocks, Sections } from '../../html/page/document.tsx';
import { Lines, Section, Table, Top } from '../../html/page/parts.tsx';
import { pageText } from '../../html/page/shell.tsx';
import { type HistoryReport, METRICS, type Metric, type Series, type State } from '../model/schema.ts';
import { answerOf, changeLines, list, nightState, TONES, toldOf } from './lines.ts';

/** One metric of a series over its nights; each change point is a line with its size. */
function Trend({ series, metric }: { readonly series: Series; readonly metric: Metric }) {
  const held = series.points.flatMap(({ at, values }) => {
    const value = values[metric];
    return value === undefined ? [] : [{ time: Date.parse(at), value, at }];
  });
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined || held.length < 2) return null;
  const { title, unit } = METRICS[metric];
  const most = Math.max(...held.map(({ value }) => value)) * 1.1 || 1;
  const plot = plotOf({ x: [first.time, Math.max(last.time, first.time + 1)], y: [0, most], up: [160, 12] });
  const changes = (series.changes ?? []).filter((change) => change.metric === metric);
  const [left, right] = plot.across;
  return (
    <Chart
      caption={`${title}: ${ms(first.value)} → ${ms(last.value)}${unit}${changes.length === 0 ? '' : `, ${counted(changes.length, 'change')}`}`}
      label={`${title} of ${series.name} over ${held.length} runs`}
      height={190}
    >
      <Grid plot={plot} words={ms} />
      <Path plot={plot} mark="a" points={held.map(({ time, value }) => [time, value])} />
      {changes.map(({ at, worse, size }) => {
        const x = plot.x(Date.parse(at));
        return (
          <>
            <Limit plot={plot} class={worse ? 'limit' : 'held'} x={Date.parse(at)} />
            <text class={worse ? '' : 'held'} x={Math.min(x + 4, right - 46)} y={22}>
              {size > 0 ? '+' : '−'}
              {percent(Math.abs(size))}
            </text>
          </>
        );
      })}
      <text x={left} y={182}>
        {first.at.slice(0, 10)}
      </text>
      <text x={right} y={182} text-anchor="end">
        {last.at.slice(0, 10)}
      </text>
    </Chart>
  );
}

function SeriesSection({ report: { series } }: { readonly report: HistoryReport }) {
  if (series.length === 0) return null;
  return (
    <Section
      id="load"
      title="Load over time"
      lead="Only runs with the same profile, operation, rate, duration and connections share a series. Invalid cells are left out. Change points: E-divisive means with a t test at 0.1 %."
    >
      {series.map((one) => (
        <>
          <h3>{one.name}</h3>
          <p>
            {counted(one.points.length, 'run')}.{' '}
            {one.changes === null
              ? `Not enough to look for changes: ${one.missing} more comparable runs are needed.`
              : one.changes.length === 0 && 'No change of a mean.'}
          </p>
          <Blocks blocks={[list(changeLines(one))]} />
          <div class="charts">
            {(Object.keys(METRICS) as Metric[]).map((metric) => (
              <Trend series={one} metric={metric} />
            ))}
          </div>
        </>
      ))}
    </Section>
  );
}

type Night = HistoryReport['nights'][number];

const verdictText = ({ said, exit, counts }: Night): string => `${said} (exit ${exit})${counts ? '' : ', not counted'}`;

function NightsSection(props: { readonly report: HistoryReport; readonly kept: ReadonlySet<string> }) {
  const { report, kept } = props;
  const link = ({ folder = '', run }: Night) =>
    kept.has(folder) ? <a href={`${encodeURIComponent(folder)}/index.html`}>{run}</a> : run;
  return (
    <Section id="all-nights" title="Runs">
      <Table
        label="Every run"
        class="lines"
        rows={report.nights.map((night, at) => ({ ...night, id: `night-${at + 1}` }))}
        tone={(night) => TONES[nightState(night)]}
        data={({ id }) => ({ id })}
        columns={[
          ['When', ({ at }) => instant(at)],
          ['Verdict', verdictText],
          ['Run', link],
          ['Failing', ({ failing }) => failing, 'figures'],
          ['Changed since the run before', ({ changes }) => changes.join('; ')],
        ]}
      />
    </Section>
  );
}

const MOST_ROWS = 60;
const [CELL, HIGH] = [6, 18];

/** Top and height of each state in a row 18 high: the height says it without the color. */
const BARS: Readonly<Record<State, readonly [top: number, height: number]>> = {
  fail: [1, 16],
  flaky: [5, 12],
  expected: [9, 8],
  open: [13, 4],
  pass: [15, 2],
  none: [17, 0],
};

function pieces(states: readonly State[]): { readonly state: State; readonly from: number; readonly length: number }[] {
  const found: { state: State; from: number; length: number }[] = [];
  for (const [at, state] of states.entries()) {
    const last = found.at(-1);
    if (last?.state === state) last.length += 1;
    else found.push({ state, from: at, length: 1 });
  }
  return found;
}

function Row({ states, label }: { readonly states: readonly State[]; readonly label: string }) {
  return (
    <svg
      width={states.length * CELL}
      height={HIGH}
      viewBox={`0 0 ${states.length * CELL} ${HIGH}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {pieces(states)
        .filter(({ state }) => state !== 'none')
        .map(({ state, from, length }) => (
          <rect
            class={`h-${state}`}
            x={from * CELL}
            y={BARS[state][0]}
            width={length * CELL - 1}
            height={BARS[state][1]}
          />
        ))}
    </svg>
  );
}

const rowOf = ({ checkId, cause, states, failed, flaky, last }: HistoryReport['strips']['rows'][number]) => ({
  name: [cause === true && 'cause ', checkId, flaky && <span class="tag"> flaky</span>],
  failed,
  nights: (
    <Row
      states={states.toReversed()}
      label={`${checkId}: failed in ${failed} of ${states.filter((state) => state !== 'none').length} runs, last ${last}`}
    />
  ),
});

/** Checks × nights, worst first; the first row is the nights themselves, each a link to its line. */
function StripSection({ report }: { readonly report: HistoryReport }) {
  const { rows, of } = report.strips;
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const links = report.nights.map((night, at) => (
    <a
      class={`n n-${nightState(night)}`}
      href={`#night-${at + 1}`}
      title={`${night.at.slice(0, 10)}: ${night.said}, exit ${night.exit}${night.counts ? '' : ', not counted'}`}
    >
      <span class="sr">{night.at.slice(0, 10)}</span>
    </a>
  ));
  const whole = {
    name: ['All of the run'],
    failed: report.nights.filter(({ counts, exit }) => counts && exit !== 0).length,
    nights: <span class="row">{links.toReversed()}</span>,
  };
  return (
    <Section
      id="strip"
      title="Causes and checks by run"
      lead={
        'The taller the bar, the worse: failed, flaky, expected to fail, undecided, passed. A gap is a run that left the check out, or one that does not count. ' +
        `${of === 0 ? 'No run had checks' : `${of - rows.filter(({ cause }) => cause !== true).length} of ${of} checks never failed and are left out`}${more > 0 ? `; ${more} more that failed at some time are in --json` : ''}.`
      }
    >
      <Table
        label="Checks by run"
        class="nights"
        rows={[whole, ...shown.map(rowOf)]}
        columns={[
          ['Check', ({ name }) => name, 'row'],
          ['Failed', ({ failed }) => failed, 'figures'],
          ['Runs, newest first', ({ nights }) => nights],
        ]}
      />
    </Section>
  );
}

const LONGEST = 300;

const OWN_STYLE = `
.nights th[scope=row]{white-space:nowrap;font-weight:500;font-size:13px}.nights td,.nights th{padding:2px 8px;vertical-align:middle}.nights svg{display:block}
.row{display:flex}.n{flex:none;width:5px;height:18px;margin-right:1px;background:var(--good)}.n-fail{background:var(--bad)}.n-open{background:var(--open);height:12px;margin-top:6px}.n-pass{height:6px;margin-top:12px}.n-uncounted{background:none;border:1px dashed var(--mute)}
.h-fail{fill:var(--bad)}.h-flaky{fill:var(--open)}.h-expected{fill:var(--hold)}.h-open{fill:var(--mute)}.h-pass{fill:var(--good)}
.lines td:nth-child(1),.lines td:nth-child(3){white-space:nowrap}.tag{color:var(--open);font-weight:600}main>section>ul{padding-left:18px}main>section>ul>li{margin:0 0 10px;overflow-wrap:anywhere}tr:target>td{outline:2px solid var(--link)}
@media (max-width:820px){.nights th[scope=row]{white-space:normal;overflow-wrap:anywhere}.nights thead th{white-space:normal}.lines thead{display:none}.lines,.lines tbody,.lines tr,.lines td{display:block;overflow-wrap:anywhere}.lines td{border:0;padding:1px 8px}.lines tr{border-bottom:1px solid var(--line)}.lines td.num{text-align:left}.lines td.num::before{content:"failing: "}.lines td:last-child:not(:empty)::before{content:"changed: "}}
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
        <Sections sections={toldOf(report, MOST_ROWS).filter(({ id }) => id !== 'load')} />
        <StripSection report={report} />
        <SeriesSection report={report} />
        <NightsSection report={report} kept={kept} />
      </>
    ),
  });
}
