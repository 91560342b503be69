import { counted, instant, ms, percent } from '../../lib/numbers.ts';
import { some } from '../../lib/text.ts';
import { Lines, Section, Table } from '../../reports/html/page/parts.tsx';
import { METRICS, type Metric } from '../model/metrics.ts';
import type { HistoryReport } from '../model/schema.ts';
import { Trend } from './trend.tsx';

const day = (at: string) => at.slice(0, 10);

const changed = (changes: readonly string[]) =>
  changes.length === 0 ? 'nothing that is recorded changed that night' : `changed that night: ${changes.join('; ')}`;

/** Checks that fail, or warn, since one night each. */
function SinceList({ found }: { readonly found: HistoryReport['failing'] }) {
  return (
    <Lines
      class="list"
      lines={found.map(({ checkId, title, results, expected, firstBad, lastGood, nights, changes }) => (
        <>
          <b>{checkId}</b> {title === checkId ? '' : title} {expected ? '(expected)' : ''}
          <br />
          first bad night {day(firstBad.at)} ({firstBad.run}), {counted(nights, 'night')};{' '}
          {lastGood === undefined ? 'no night before in which it passed' : `last passed ${day(lastGood.at)}`}
          <br />
          {counted(results.length, 'result')}: {some(results, 12)}
          {lastGood && [<br />, changed(changes)]}
        </>
      ))}
    />
  );
}

/** What fails now, since when, and what changed that night. */
export function FailingSection({ report: { failing, failingCauses, checked } }: { readonly report: HistoryReport }) {
  return (
    <Section id="failing" title="Failing now">
      <Lines
        class="list"
        lines={failingCauses.map(({ id, title, results, expected, firstBad, lastGood, nights, changes }) => (
          <>
            <b>{title}</b> ({counted(results, 'check')}){expected ? ', expected' : ''} <span class="soft">{id}</span>
            <br />
            first bad night {day(firstBad.at)} ({firstBad.run}), {counted(nights, 'night')};{' '}
            {lastGood === undefined ? 'there in every night' : changed(changes)}
          </>
        ))}
      />
      {failing.length + failingCauses.length === 0 && (
        <p>{checked ? 'No check failed when it was last decided.' : 'No night ran checks.'}</p>
      )}
      <SinceList found={failing} />
    </Section>
  );
}

/** What warns now: nothing that fails, and yet another behavior than the specification has in mind. */
export function WarningsSection({ report: { warnings } }: { readonly report: HistoryReport }) {
  if (warnings.length === 0) return null;
  return (
    <Section id="warnings" title="Warnings now">
      <SinceList found={warnings} />
    </Section>
  );
}

/** Flake rates with their intervals. */
export function FlakesSection({ report: { flakes, checked } }: { readonly report: HistoryReport }) {
  if (!checked) return null;
  return (
    <Section
      id="flakes"
      title="Flaky checks"
      lead="Nights in which a check failed and passed when the same run tried it again, or failed alone between two nights that passed and with nothing changed. Intervals: 95 %, Wilson."
    >
      {flakes.length === 0 ? (
        <p>None.</p>
      ) : (
        <Table
          label="Flake rates"
          rows={flakes.slice(0, 50)}
          columns={[
            ['Check', ({ checkId }) => checkId, 'row'],
            ['Flake rate', ({ rate }) => percent(rate), 'figures'],
            ['Interval', ({ low, high }) => `${percent(low)} to ${percent(high)}`, 'figures'],
            ['Nights', ({ flaked, nights }) => `${flaked} of ${nights}`, 'figures'],
          ]}
        />
      )}
    </Section>
  );
}

/** Load over time by cell, with its change points. */
export function SeriesSection({ report: { series } }: { readonly report: HistoryReport }) {
  if (series.length === 0) return null;
  return (
    <Section
      id="load"
      title="Load over time"
      lead="Only nights with the same profile, operation, rate, duration and connections share a series. Invalid cells are left out. Change points: E-divisive means with a t test at 0.1 %."
    >
      {series.map((one) => (
        <>
          <h3>{one.name}</h3>
          <p>
            {counted(one.points.length, 'night')}.{' '}
            {one.changes === null
              ? `Not enough to look for changes: ${one.missing} more comparable nights are needed.`
              : one.changes.length === 0 && 'No change of a mean.'}
          </p>
          <Lines
            class="list"
            lines={(one.changes ?? []).map(({ metric, at, run, before, after, size, confidence, worse, changes }) => (
              <>
                <b>
                  {day(at)}: {METRICS[metric].title} {worse ? 'worse' : 'better'} by {percent(Math.abs(size))}
                </b>
                , {ms(before)} → {ms(after)}
                {METRICS[metric].unit}, from run {run} on, confidence{' '}
                {(confidence * 100).toFixed(confidence > 0.9999 ? 0 : 2)} %; {changed(changes)}
              </>
            ))}
          />
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

/** Answers of the target, where the specification is silent, that became others. */
export function DialectSection({ report: { dialect, checked } }: { readonly report: HistoryReport }) {
  const same =
    'The target answered every question about what the specification leaves open the same way in all nights.';
  return (
    <Section id="dialect" title="Dialect over time">
      {dialect.length === 0 && <p>{checked ? same : 'No night asked what the specification leaves open.'}</p>}
      <Lines
        class="list"
        lines={dialect.slice(0, 100).map(({ at, changes }) => [<b>{day(at)}</b>, `: ${changes.join('; ')}`])}
      />
    </Section>
  );
}

/** Failures that a baseline expects. */
export function ExpectedSection({ report: { expected } }: { readonly report: HistoryReport }) {
  if (expected.length === 0) return null;
  return (
    <Section id="expected" title="Expected failures">
      <Lines
        class="list"
        lines={expected.map(({ owner, expires, count, expired }) => [
          <b>{owner === '' ? 'no owner' : owner}</b>,
          `: ${counted(count, 'result')} until ${expires}${expired ? ', which is over' : ''}`,
        ])}
      />
    </Section>
  );
}

type Night = HistoryReport['nights'][number];

const verdictText = ({ said, exit, counts, reasons: [first] }: Night): string =>
  `${said} (exit ${exit})${counts ? '' : ', not counted'}${exit === 0 || first === undefined ? '' : `: ${first}`}`;

/** Every night with its line; `kept` are the run folders that are still there. */
export function NightsSection(props: { readonly report: HistoryReport; readonly kept: ReadonlySet<string> }) {
  const { report, kept } = props;
  const link = ({ folder = '', run }: Night) =>
    kept.has(folder) ? <a href={`${encodeURIComponent(folder)}/index.html`}>{run}</a> : run;
  return (
    <Section id="all-nights" title="Nights">
      <Table
        label="Every night"
        class="lines"
        rows={report.nights.map((night, at) => ({ ...night, id: `night-${at + 1}` }))}
        tone={({ counts, exit }) => (counts ? (exit === 0 ? '' : 'bad') : 'open')}
        data={({ id }) => ({ id })}
        columns={[
          ['Night', ({ at }) => instant(at)],
          ['Run', link],
          ['Verdict', verdictText],
          ['Failing', ({ failing }) => failing, 'figures'],
          ['Changed since the night before', ({ changes }) => changes.join('; ')],
        ]}
      />
    </Section>
  );
}
