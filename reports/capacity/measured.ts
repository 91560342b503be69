import { claimOf } from '../../lib/judge/answer/search.ts';
import { touchedWords } from '../../lib/judge/cell/touched.ts';
import { counted, ms, percent, rate } from '../../lib/numbers.ts';
import type { CapacityAnswer, CurveFigure } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import type { Block, Line, Section } from './block.ts';
import { figure } from './cells.ts';

const CURVE_HEAD = [
  'Of the claim',
  'Offered /s',
  'Arrivals',
  'Verdict',
  'Not served',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'p99.9 ms',
];

function figureLine({ ms: value, interval, fewSamples }: CurveFigure): Line {
  const star = fewSamples === true && value !== null ? ' *' : '';
  if (value === null || interval === null) return [`${ms(value)}${star}`];
  const side = (bound: number | null) => (bound === null ? '∞' : ms(bound));
  return [`${ms(value)}${star} (${side(interval[0])}–${side(interval[1])})`];
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
  const section = { id: `curve-${at}`, title: 'How response time grows with the rate' };
  if (curve === undefined) {
    return {
      ...section,
      blocks: [{ kind: 'text', line: [noCurve(report, answer)] }],
    };
  }
  const rows = curve.map((point): readonly Line[] => [
    [
      figure(
        percent(point.share),
        steps.find(({ id }) => id === point.cell),
      ),
    ],
    [rate(point.ratePerSecond)],
    [point.arrivals === 'poisson' ? 'Poisson' : 'even'],
    [verdictWord(point.verdict)],
    ...(point.verdict === 'invalid'
      ? Array.from({ length: 5 }, (): Line => ['not measured validly'])
      : [[percent(point.unserved)], ...[point.p50, point.p95, point.p99, point.p999].map(figureLine)]),
  ]);
  const caption =
    'Response time from the intended start. In brackets: 95 % interval from blocks of time; none where the window is too short. ' +
    'A star marks a percentile with fewer than 100 samples above it. Poisson arrivals come as independent callers do.';
  return {
    ...section,
    blocks: [
      { kind: 'curve', answer: at },
      { kind: 'table', caption, head: CURVE_HEAD, rows },
    ],
  };
}

/** What numbers of connections carry. */
export function connectionSection(answer: CapacityAnswer, at: number): Section {
  const { sweep, connections } = answer;
  const section = { id: `connections-${at}`, title: 'What the number of connections bounds' };
  if (sweep.length === 0) {
    const line = [
      `Only ${counted(connections, 'connection')} ${connections === 1 ? 'was' : 'were'} tried. Other numbers carry other rates.`,
    ];
    return { ...section, blocks: [{ kind: 'text', line }] };
  }
  const rows = sweep.map((row): readonly Line[] => [
    [String(row.connections)],
    [row.heldPerSecond === null ? 'none' : `${row.atLeast ? '≥ ' : ''}${rate(row.heldPerSecond)}`],
    [rate(row.carriedPerSecond)],
    [row.littleBoundPerSecond === null ? '—' : rate(row.littleBoundPerSecond)],
  ]);
  const blocks: Block[] = [
    { kind: 'connections', answer: at },
    {
      kind: 'table',
      caption:
        "Carried: most successes per second, also under too many arrivals. Little's bound: connections ÷ mean service time.",
      head: ['Connections', 'Held /s', 'Carried /s', "Little's bound /s"],
      rows,
    },
  ];
  return { ...section, blocks };
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
  return { id: `population-${at}`, title: 'Population declared and touched', blocks: [{ kind: 'text', line }] };
}
