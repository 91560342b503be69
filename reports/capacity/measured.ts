import { claimOf } from '../../lib/judge/answer/search.ts';
import { touchedWords } from '../../lib/judge/cell/touched.ts';
import { counted, ms, percent, rate } from '../../lib/numbers.ts';
import type { CapacityAnswer, CurveFigure, CurvePoint } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import { heldText } from '../model/held.ts';
import { type Block, type Line, type Section, section, table } from './block.ts';
import { cellOf, figure } from './cells.ts';

function figureText({ ms: value, interval, fewSamples }: CurveFigure): string {
  const star = fewSamples === true && value !== null ? ' *' : '';
  if (value === null || interval === null) return `${ms(value)}${star}`;
  const side = (bound: number | null) => (bound === null ? '∞' : ms(bound));
  return `${ms(value)}${star} (${side(interval[0])}–${side(interval[1])})`;
}

/** Why a run has no curve, from what it was told and how it ended. */
function noCurve({ end }: Report, { heldPerSecond }: CapacityAnswer): string {
  if (end === null || end.signal !== undefined) return 'Not measured: the run was interrupted before it.';
  return heldPerSecond === null ? 'Not measured: no rate was shown to hold.' : 'Not measured in this run.';
}

/** The response time over the rate, one row for each cell. */
export function curveSection(
  report: Report,
  answer: CapacityAnswer,
  at: number,
  steps: readonly CellReport[],
): Section {
  const { curve } = answer;
  const [id, title] = [`curve-${at}`, 'How response time grows with the rate'];
  if (curve === undefined) return section(id, title, noCurve(report, answer));
  const valid = (of: (point: CurvePoint) => string) => (point: CurvePoint) =>
    point.verdict === 'invalid' ? 'not measured validly' : of(point);
  const caption =
    'Response time from the intended start. In brackets: 95 % interval from blocks of time; none where the window is too short. ' +
    'A star marks a percentile with fewer than 100 samples above it. Poisson arrivals come as independent callers do.';
  const points = table(caption, curve, [
    ['Of the claim', ({ share, cell }) => figure(percent(share), cellOf(steps, cell))],
    ['Offered /s', ({ ratePerSecond }) => rate(ratePerSecond)],
    ['Arrivals', ({ arrivals }) => (arrivals === 'poisson' ? 'Poisson' : 'even')],
    ['Verdict', ({ verdict }) => verdictWord(verdict)],
    ['Not served', valid(({ unserved }) => percent(unserved))],
    ['p50 ms', valid(({ p50 }) => figureText(p50))],
    ['p95 ms', valid(({ p95 }) => figureText(p95))],
    ['p99 ms', valid(({ p99 }) => figureText(p99))],
    ['p99.9 ms', valid(({ p999 }) => figureText(p999))],
  ]);
  return section(id, title, { kind: 'curve', answer: at }, points);
}

/** What the numbers of connections that were compared carry. */
export function sweepTable(sweep: CapacityAnswer['sweep']): Block {
  const caption =
    "Carried: most successes per second, also with too many arrivals. Little's bound: connections ÷ mean service time of the rate that held, " +
    'else the shortest of the steps.';
  const orDash = (value: number | null, words: (known: number) => string) => (value === null ? '—' : words(value));
  return table(caption, sweep, [
    ['Connections', (row) => String(row.connections)],
    ['Held /s', heldText],
    ['Carried /s', ({ carriedPerSecond }) => rate(carriedPerSecond)],
    ['Mean service ms', ({ meanServiceMs }) => orDash(meanServiceMs, ms)],
    ["Little's bound /s", ({ littleBoundPerSecond }) => orDash(littleBoundPerSecond, rate)],
  ]);
}

/** What numbers of connections carry. */
export function connectionSection({ sweep, connections }: CapacityAnswer, at: number): Section {
  const [id, title] = [`connections-${at}`, 'What the number of connections bounds'];
  if (sweep.length > 0) return section(id, title, { kind: 'connections', answer: at }, sweepTable(sweep));
  const were = connections === 1 ? 'was' : 'were';
  return section(
    id,
    title,
    `Only ${counted(connections, 'connection')} ${were} tried. Other numbers carry other rates.`,
  );
}

/** How many endpoints stood for the population. */
export function populationSection(
  { run: { target } }: Pick<Report, 'run'>,
  answer: CapacityAnswer,
  at: number,
  steps: readonly CellReport[],
): Section {
  const cell = claimOf(answer, steps).cells.at(-1);
  const line: Line =
    cell === undefined
      ? ['No rate was shown to hold.']
      : [
          `Profile ${answer.profile} ${target.embedded ? 'has' : 'declares'} ${counted(cell.facts.plan.sessions, 'session')}${target.embedded ? '' : '; the harness does not verify them'}. The measurement that the answer rests on `,
          figure(touchedWords(cell.facts, target), cell),
          '.',
        ];
  return section(`population-${at}`, 'Population declared and touched', { kind: 'text', line });
}
