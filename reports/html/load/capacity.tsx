import { capacityDetails } from '../../../lib/judge/capacity/details.ts';
import { ms, rate } from '../../../lib/numbers.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import type { CapacityAnswer } from '../../../lib/records/load/capacity.ts';
import type { Report } from '../../../lib/records/report.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { ConnectionCurve } from '../../charts/connection-curve.tsx';
import { HeadroomBars } from '../../charts/headroom-bars.tsx';
import { RateCurve } from '../../charts/rate-curve.tsx';
import { Legend, Mark } from '../page/mark.tsx';
import { Said } from '../page/said.tsx';
import { CellDetails } from './cell-details.tsx';

const ANSWER_HEAD = ['Published /s', 'Held /s', 'First that did not /s', 'Headroom', 'Connections'] as const;
/** What ended the search, for people. */
const LIMITS = { target: 'the target', generator: 'the generator', end: 'the highest rate allowed' } as const;
const RATE_HEAD = [
  ...['Offered /s', 'Steps held', 'did not', 'invalid', 'Achieved /s', 'Slow target did /s'],
  ...['Service p50 ms', 'Response p50 ms', 'Response p99 ms'],
] as const;
const SWEEP_HEAD = ['Connections', 'Held /s', 'Carried /s', 'Mean service ms', "Little's bound /s"] as const;

function Head({ words }: { words: readonly string[] }) {
  return (
    <>
      {words.map((word) => (
        <th scope="col" class="num">
          {word}
        </th>
      ))}
    </>
  );
}

function Row({ figures }: { figures: readonly (string | number)[] }) {
  return (
    <tr>
      {figures.map((figure) => (
        <td class="num">{figure}</td>
      ))}
    </tr>
  );
}

const heldText = (held: number | null, atLeast: boolean): string =>
  held === null ? 'none' : `${atLeast ? '≥ ' : ''}${rate(held)}`;

/** The profiles side by side. */
function Answers({ answers }: { answers: readonly CapacityAnswer[] }) {
  return (
    <div class="wide" tabindex={0}>
      <table>
        <caption>
          Headroom: held rate ÷ published rate. ≥: not the target but the generator, or the highest rate allowed, was
          the limit; the target may do more.
        </caption>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Search</th>
            <Head words={ANSWER_HEAD} />
            <th scope="col">Limited by</th>
          </tr>
        </thead>
        <tbody>
          {answers.map((answer) => (
            <tr>
              <td>
                <Mark verdict={answer.verdict} />
              </td>
              <th scope="row">
                {answer.profile} {answer.operation}
              </th>
              <td class="num">{rate(answer.targetPerSecond)}</td>
              <td class="num">{heldText(answer.heldPerSecond, answer.atLeast)}</td>
              <td class="num">{answer.failedPerSecond === null ? '—' : rate(answer.failedPerSecond)}</td>
              <td class="num">
                {answer.headroom === null ? '—' : `${answer.atLeast ? '≥ ' : ''}${answer.headroom.toFixed(2)}`}
              </td>
              <td class="num">{answer.connections}</td>
              <td>{LIMITS[answer.limit]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RateTable({ answer }: { answer: CapacityAnswer }) {
  return (
    <table>
      <caption>
        Steps by offered rate: how many held, did not, or proved nothing. Times are those of the last valid step. A star
        marks a percentile with fewer than 100 samples above it. "Not served": so many arrivals got no connection or no
        success that the percentile falls among them.
      </caption>
      <thead>
        <tr>
          <Head words={RATE_HEAD} />
        </tr>
      </thead>
      <tbody>
        {answer.rates.map((entry) => (
          <Row
            figures={[
              ...[rate(entry.ratePerSecond), entry.held, entry.failed, entry.invalid, rate(entry.achievedPerSecond)],
              entry.carriedPerSecond === null ? '—' : rate(entry.carriedPerSecond),
              ...[entry.serviceP50Ms, entry.responseP50Ms].map(ms),
              // A percentile with few samples above it says more of chance than of the target.
              `${ms(entry.responseP99Ms)}${entry.fewSamples?.includes('p99') && entry.responseP99Ms !== null ? ' *' : ''}`,
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

function SweepTable({ answer }: { answer: CapacityAnswer }) {
  if (answer.sweep.length === 0) return null;
  return (
    <table>
      <caption>
        Connection sweep. Carried: most successes per second, also with too many arrivals. Little's bound: connections ÷
        mean service time of the rate that held, else the shortest of the steps.
      </caption>
      <thead>
        <tr>
          <Head words={SWEEP_HEAD} />
        </tr>
      </thead>
      <tbody>
        {answer.sweep.map((row) => (
          <Row
            figures={[
              ...[row.connections, heldText(row.heldPerSecond, row.atLeast), rate(row.carriedPerSecond)],
              ...[row.meanServiceMs === null ? '—' : ms(row.meanServiceMs)],
              ...[row.littleBoundPerSecond === null ? '—' : rate(row.littleBoundPerSecond)],
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

function Search({ answer, report }: { answer: CapacityAnswer; report: Report }) {
  const own = (report.capacity?.steps ?? []).filter(
    ({ profile, operation }) => profile === answer.profile && operation === answer.operation,
  );
  return (
    <>
      <h3>
        {answer.profile} {answer.operation}
      </h3>
      <p>{answer.said === undefined ? '' : <Said statement={answer.said} report={report} />}</p>
      <ul class="small">
        {capacityDetails(answer).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <div class="charts">
        <RateCurve answer={answer} />
        <ConnectionCurve sweep={answer.sweep} />
      </div>
      <div class="wide" tabindex={0}>
        <RateTable answer={answer} />
        <SweepTable answer={answer} />
      </div>
      <details class="card">
        <summary>All {own.length} steps, with rules and charts</summary>
        {own.map((cell) => (
          <CellDetails cell={cell} target={report.run.target} open={false} printed={false} />
        ))}
      </details>
    </>
  );
}

/** The capacity: the searches side by side, then each with its curve, its sweep and its steps. */
export function Capacity({ report }: { report: Report }) {
  const { capacity } = report;
  if (capacity === undefined) return null;
  return (
    <section aria-labelledby="capacity">
      <h2 id="capacity">Capacity: {verdictWord(capacity.verdict)}</h2>
      <Legend verdicts={['met', 'violated', 'invalid']} />
      {capacity.answers.length === 0 ? <p>No step was run.</p> : <Answers answers={capacity.answers} />}
      <HeadroomBars answers={capacity.answers} />
      {capacity.answers.map((answer) => (
        <Search answer={answer} report={report} />
      ))}
      {capacity.answers.length === 0 ? (
        ''
      ) : (
        <p class="small soft">
          The figures are those of this generator and of these numbers of connections. The{' '}
          <a href={FILES.capacityHtml}>statement for a change board</a> has the curve, the recovery from an overload,
          and what was not measured.
        </p>
      )}
    </section>
  );
}
