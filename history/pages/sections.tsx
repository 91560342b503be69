import { counted, instant, ms, percent } from '../../lib/numbers.ts';
import { Head } from '../../reports/html/page/head.tsx';
import type { HistoryReport } from '../model/history-report.ts';
import { METRICS, type Metric } from '../model/series.ts';
import { Trend } from './trend.tsx';

const day = (at: string) => at.slice(0, 10);

/** Checks that fail, or warn, since one night each. */
function SinceList({ found }: { readonly found: HistoryReport['failing'] }) {
  return (
    <ul class="list">
      {found.map(({ checkId, title, results, expected, firstBad, lastGood, nights, changes }) => (
        <li>
          <b>{checkId}</b> {title === checkId ? '' : title} {expected ? '(expected)' : ''}
          <br />
          first bad night {day(firstBad.at)} ({firstBad.run}), {counted(nights, 'night')};{' '}
          {lastGood === undefined ? 'no night before in which it passed' : `last passed ${day(lastGood.at)}`}
          <br />
          {results.length === 1 ? '1 result' : `${results.length} results`}: {results.slice(0, 12).join(', ')}
          {results.length > 12 ? ` and ${results.length - 12} more` : ''}
          {lastGood === undefined ? (
            ''
          ) : (
            <>
              <br />
              {changes.length === 0
                ? 'nothing that is recorded changed that night'
                : `changed that night: ${changes.join('; ')}`}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What fails now, since when, and what changed that night. */
export function FailingSection({ report: { failing, failingCauses, checked } }: { readonly report: HistoryReport }) {
  return (
    <section id="failing">
      <h2>Failing now</h2>
      {failingCauses.length === 0 ? (
        ''
      ) : (
        <ul class="list">
          {failingCauses.map(({ id, title, results, expected, firstBad, lastGood, nights, changes }) => (
            <li>
              <b>{title}</b> ({counted(results, 'check')}){expected ? ', expected' : ''} <span class="soft">{id}</span>
              <br />
              first bad night {day(firstBad.at)} ({firstBad.run}), {counted(nights, 'night')}
              {lastGood === undefined
                ? '; there in every night'
                : changes.length === 0
                  ? '; nothing that is recorded changed that night'
                  : `; changed that night: ${changes.join('; ')}`}
            </li>
          ))}
        </ul>
      )}
      {failing.length === 0 && failingCauses.length > 0 ? (
        ''
      ) : failing.length === 0 ? (
        <p>{checked ? 'No check failed when it was last decided.' : 'No night ran checks.'}</p>
      ) : (
        <SinceList found={failing} />
      )}
    </section>
  );
}

/** What warns now: nothing that fails, and yet another behavior than the specification has in mind. */
export function WarningsSection({ report: { warnings } }: { readonly report: HistoryReport }) {
  if (warnings.length === 0) return null;
  return (
    <section id="warnings">
      <h2>Warnings now</h2>
      <SinceList found={warnings} />
    </section>
  );
}

/** Flake rates with their intervals. */
export function FlakesSection({ report: { flakes, checked } }: { readonly report: HistoryReport }) {
  if (!checked) return null;
  return (
    <section id="flakes">
      <h2>Flaky checks</h2>
      <p class="lead">
        Nights in which a check failed and passed when the same run tried it again, or failed alone between two nights
        that passed and with nothing changed. Intervals: 95 %, Wilson.
      </p>
      {flakes.length === 0 ? (
        <p>None.</p>
      ) : (
        <section class="wide plain" tabindex={0} aria-label="Flaky checks">
          <table>
            <Head columns={['Check', { figures: 'Flake rate' }, { figures: 'Interval' }, { figures: 'Nights' }]} />
            <tbody>
              {flakes.slice(0, 50).map(({ checkId, rate, low, high, flaked, nights }) => (
                <tr>
                  <th scope="row">{checkId}</th>
                  <td class="num">{percent(rate)}</td>
                  <td class="num">
                    {percent(low)} to {percent(high)}
                  </td>
                  <td class="num">
                    {flaked} of {nights}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

/** Load over time by cell, with its change points. */
export function SeriesSection({ report: { series } }: { readonly report: HistoryReport }) {
  if (series.length === 0) return null;
  return (
    <section id="load">
      <h2>Load over time</h2>
      <p class="lead">
        Only nights with the same profile, operation, rate, duration and connections share a series. Invalid cells are
        left out. Change points: E-divisive means with a t test at 0.1 %.
      </p>
      {series.map((one) => (
        <>
          <h3>{one.name}</h3>
          <p>
            {one.points.length === 1 ? '1 night' : `${one.points.length} nights`}.{' '}
            {one.changes === null
              ? `Not enough to look for changes: ${one.missing} more comparable nights are needed.`
              : one.changes.length === 0
                ? 'No change of a mean.'
                : ''}
          </p>
          <ul class="list">
            {(one.changes ?? []).map(({ metric, at, run, before, after, size, confidence, worse, changes }) => (
              <li>
                <b>
                  {day(at)}: {METRICS[metric].title} {worse ? 'worse' : 'better'} by {percent(Math.abs(size))}
                </b>
                , {ms(before)} → {ms(after)}
                {METRICS[metric].unit}, from run {run} on, confidence{' '}
                {(confidence * 100).toFixed(confidence > 0.9999 ? 0 : 2)} %;{' '}
                {changes.length === 0
                  ? 'nothing that is recorded changed that night'
                  : `changed that night: ${changes.join('; ')}`}
              </li>
            ))}
          </ul>
          <div class="charts">
            {(Object.keys(METRICS) as Metric[]).map((metric) => (
              <Trend series={one} metric={metric} />
            ))}
          </div>
        </>
      ))}
    </section>
  );
}

/** Answers of the target, where the specification is silent, that became others. */
export function DialectSection({ report }: { readonly report: HistoryReport }) {
  const { dialect } = report;
  return (
    <section id="dialect">
      <h2>Dialect over time</h2>
      {!report.checked ? (
        <p>No night asked what the specification leaves open.</p>
      ) : dialect.length === 0 ? (
        <p>The target answered every question about what the specification leaves open the same way in all nights.</p>
      ) : (
        <ul class="list">
          {dialect.slice(0, 100).map(({ at, changes }) => (
            <li>
              <b>{day(at)}</b>: {changes.join('; ')}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Failures that a baseline expects. */
export function ExpectedSection({ report: { expected } }: { readonly report: HistoryReport }) {
  if (expected.length === 0) return null;
  return (
    <section id="expected">
      <h2>Expected failures</h2>
      <ul class="list">
        {expected.map(({ owner, expires, count, expired }) => (
          <li>
            <b>{owner === '' ? 'no owner' : owner}</b>: {counted(count, 'result')} until {expires}
            {expired ? ', which is over' : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every night with its line; `kept` are the run folders that are still there. */
export function NightsSection({
  report: { nights },
  kept,
}: {
  readonly report: HistoryReport;
  readonly kept: ReadonlySet<string>;
}) {
  return (
    <section id="all-nights">
      <h2>Nights</h2>
      <section class="wide plain" tabindex={0} aria-label="Nights">
        <table class="lines">
          <Head columns={['Night', 'Run', 'Verdict', { figures: 'Failing' }, 'Changed since the night before']} />
          <tbody>
            {nights.map((night, at) => (
              <tr id={`night-${at + 1}`} class={night.counts ? (night.exit === 0 ? '' : 'bad') : 'open'}>
                <td>{instant(night.at)}</td>
                <td>
                  {night.folder !== undefined && kept.has(night.folder) ? (
                    <a href={`${encodeURIComponent(night.folder)}/index.html`}>{night.run}</a>
                  ) : (
                    night.run
                  )}
                </td>
                <td>
                  {night.said} (exit {night.exit}){night.counts ? '' : ', not counted'}
                  {night.exit === 0 || night.reasons[0] === undefined ? '' : `: ${night.reasons[0]}`}
                </td>
                <td class="num">{night.failing}</td>
                <td>{night.changes.join('; ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
