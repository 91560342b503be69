import { Head } from '../../reports/html/page/head.tsx';
import type { HistoryReport } from '../model/history-report.ts';
import type { State } from '../model/nights.ts';

/** Rows that are drawn; what never failed is not among them anyway. */
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

/** Neighboring nights of one state as one piece. */
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

const newestFirst = <T,>(items: readonly T[]): readonly T[] => [...items].reverse();

const NIGHT_STATE = ({ counts, exit }: HistoryReport['nights'][number]) =>
  !counts ? 'uncounted' : exit === 0 ? 'pass' : exit === 4 ? 'open' : 'fail';

/** Checks × nights, worst first; the first row is the nights themselves, each a link to its line. */
export function StripSection({ report }: { readonly report: HistoryReport }) {
  const { rows, of } = report.strips;
  const shown = rows.slice(0, MOST_ROWS);
  return (
    <section id="strip">
      <h2>Causes and checks by night</h2>
      <p class="lead">
        The taller the bar, the worse: failed, flaky, expected to fail, undecided, passed. A gap is a night in which the
        check did not run, or a night that does not count.{' '}
        {of === 0
          ? 'No night ran checks'
          : `${of - rows.filter(({ cause }) => cause !== true).length} of ${of} checks never failed and are left out`}
        {rows.length > shown.length
          ? `; ${rows.length - shown.length} more that failed at some time are in --json`
          : ''}
        .
      </p>
      <section class="wide plain" tabindex={0} aria-label="Checks by night">
        <table class="nights">
          <Head columns={['Check', { figures: 'Failed' }, 'Nights, newest first']} />
          <tbody>
            <tr>
              <th scope="row">All of the run</th>
              <td class="num">{report.nights.filter(({ counts, exit }) => counts && exit !== 0).length}</td>
              <td>
                <span class="row">
                  {newestFirst(report.nights.map((night, at) => ({ night, at }))).map(({ night, at }) => (
                    <a
                      class={`n n-${NIGHT_STATE(night)}`}
                      href={`#night-${at + 1}`}
                      title={`${night.at.slice(0, 10)}: ${night.said}, exit ${night.exit}${night.counts ? '' : ', not counted'}`}
                    >
                      <span class="sr">{night.at.slice(0, 10)}</span>
                    </a>
                  ))}
                </span>
              </td>
            </tr>
            {shown.map(({ checkId, cause, states, failed, flaky, last }) => (
              <tr>
                <th scope="row">
                  {cause === true ? 'cause ' : ''}
                  {checkId}
                  {flaky ? <span class="tag"> flaky</span> : ''}
                </th>
                <td class="num">{failed}</td>
                <td>
                  <Row
                    states={newestFirst(states)}
                    label={`${checkId}: failed in ${failed} of ${states.filter((state) => state !== 'none').length} nights, last ${last}`}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
