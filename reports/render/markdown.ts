import { metWords, notRunWords } from '../../lib/judge/cell/judge-load.ts';
import { touchedByProfile } from '../../lib/judge/cell/touched.ts';
import { baselineUpkeep, isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { notTestableLines } from '../../lib/judge/conformance/not-testable.ts';
import { notProven } from '../../lib/judge/conformance/rollup.ts';
import { leftAsFound } from '../../lib/judge/left-as-found.ts';
import { count, duration, ms, rate } from '../../lib/numbers.ts';
import { statementText } from '../../lib/records/answer.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { leftOf } from '../../lib/records/run.ts';
import { excerpt, inert, some } from '../../lib/text.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import { caseName } from '../model/cases.ts';
import { commandLine } from '../model/command-line.ts';
import { type Finding, findingsOf } from '../model/findings.ts';
import { headroomText, heldText } from '../model/held.ts';
import { pairLines } from '../model/pairs.ts';

/** GitHub drops a step summary above 1 MiB; far below that a summary is no summary any more. */
const LIMIT_BYTES = 200 * 1024;
/** Expected failures listed; the rest are counted. */
const LISTED = 50;

/** Text in a table cell or a line: one line, no markup, no HTML. */
export function plain(text: string, longest = 300): string {
  return excerpt(text, longest)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~!@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Words over a column, and its text of a row; `marked` text is Markdown already. */
type Column<Row> = readonly [head: string, of: (row: Row) => string, marked?: 'marked'];

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function rowsOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  return rows.map((row) => line(columns.map(([, of, marked]) => (marked ? of(row) : plain(of(row))))));
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly string[]): string {
  return [line(columns.map(([head]) => head)), line(columns.map(() => '---')), ...rows].join('\n');
}

const tableOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
  table(columns, rowsOf(rows, columns));

function head(report: Report): string {
  const { run, end, answer } = report;
  const took = end === null ? 'cut before its end' : `took ${duration(end.durationMs)}`;
  const exits = (code: number) => (code === 0 ? '' : ` (exit ${code})`);
  return [
    `## ers-harness: ${plain(statementText(answer.sentence), 600)} (exit ${report.exit.code})`,
    plain(answer.asked),
    answer.reasons.map((reason) => `- ${plain(statementText(reason), 600)}${exits(reason.code)}`).join('\n'),
    ...answer.next.map(({ text, args }) => `Next, ${text}: \`${commandLine(args, run.runId).replaceAll('`', '')}\``),
    `Target ${plain(run.target.baseUrl)}${run.target.insecure ? ' (certificate not checked)' : ''}${report.redaction === undefined ? '' : ' (addresses and host names are pseudonyms)'}, mode ${run.mode}, seed ${run.seed}, run ${plain(run.runId)}, ${took}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const FINDINGS: readonly Column<Finding>[] = [
  [
    'Verdict',
    ({ result: { verdict, flaky, known } }) =>
      [
        verdict,
        ...(flaky === true ? ['flaky'] : []),
        ...(known?.outcome === 'expired' ? ['expectation expired'] : []),
      ].join(', '),
    'marked',
  ],
  ['Check', ({ result, alike }) => `${caseName(result)}${alike.length === 0 ? '' : ` and ${alike.length} more`}`],
  ['Families', ({ result, alike }) => [...new Set([result, ...alike].map(({ family }) => family))].join(', ')],
  ['Requirement', ({ result }) => result.requirement],
  ['Expected', ({ result }) => result.expected ?? result.title],
  ['Observed', ({ result }) => result.observed ?? result.reason ?? ''],
];

function findingRows(report: Report): string[] {
  const results = (report.conformance?.results ?? []).filter((result) => !isExpected(result));
  const causes = report.conformance?.causes ?? [];
  return rowsOf(findingsOf({ results, causes }, report.catalogue), FINDINGS);
}

const verdictCell = ({ verdict }: { readonly verdict: CellReport['verdict'] }): string =>
  verdict === 'met' ? verdictWord(verdict) : `**${verdictWord(verdict)}**`;

function loadSection(report: Report): string[] {
  if (report.load === null) return [];
  const worst = { violated: 0, invalid: 1, met: 2 };
  const cells = [...report.load.cells].sort((a, b) => worst[a.verdict] - worst[b.verdict]);
  const slashed = (...figures: readonly string[]) => figures.join(' / ');
  const times = ({ p50Ms, p99Ms }: CellReport['serviceTime']) => slashed(ms(p50Ms), ms(p99Ms));
  const touched = [...touchedByProfile(cells, report.run.target), ...notRunWords(report.load)];
  return [
    `### Load: ${metWords(report.load)}`,
    tableOf(cells, [
      ['Profile', ({ profile }) => profile],
      ['Operation', ({ operation }) => operation],
      ['Verdict', verdictCell, 'marked'],
      [
        'Scheduled / started / dropped / failed',
        ({ scheduled, started, dropped, failed }) => slashed(...[scheduled, started, dropped, failed].map(count)),
      ],
      [
        'Scheduled / achieved per s',
        ({ facts, achievedPerSecond }) => slashed(rate(facts.plan.targetPerSecond), rate(achievedPerSecond)),
      ],
      ['Service p50 / p99 ms', ({ serviceTime }) => times(serviceTime)],
      ['Response p50 / p99 ms', ({ responseTime }) => times(responseTime)],
      ['Reasons', ({ reasons }) => reasons.join('; ')],
    ]),
    touched.map((words) => `- ${plain(words, 600)}`).join('\n'),
  ];
}

function capacitySection({ capacity }: Report): string[] {
  if (capacity === undefined || capacity.answers.length === 0) return [];
  return [
    `### Capacity: ${verdictWord(capacity.verdict)}`,
    tableOf(capacity.answers, [
      ['Profile', ({ profile }) => profile],
      ['Operation', ({ operation }) => operation],
      ['Verdict', verdictCell, 'marked'],
      ['Held per s', heldText],
      ['First that did not per s', ({ failedPerSecond }) => (failedPerSecond === null ? '—' : rate(failedPerSecond))],
      ['Headroom', headroomText],
      ['Connections', ({ connections }) => String(connections)],
      ['Limited by', ({ limit }) => limit],
    ]),
  ];
}

function familySection(report: Report): string[] {
  const part = report.conformance;
  if (part === null) return [];
  return [
    `### Conformance: ${verdictWord(part.verdict)}`,
    tableOf(part.families, [
      ['Resource', ({ name }) => name],
      ['Verdict', ({ verdict }) => verdict],
      ['Passed', ({ counts }) => String(counts.pass)],
      ['Failed', ({ counts }) => String(counts.fail)],
      ['Warnings', ({ counts }) => String(counts.warn)],
      ['Unclear', ({ counts }) => String(notProven(counts))],
      ['Not tested', ({ counts }) => String(counts['not-testable'])],
    ]),
    ...pairLines(report).map((words) => plain(words, 1_000)),
  ];
}

/** What this target cannot show, with what would make it testable. */
function notTestableSection(report: Report): string[] {
  const lines = notTestableLines(report);
  if (lines.length === 0) return [];
  const shown = lines.slice(0, LISTED).map((line) => `- ${plain(line)}`);
  return ['### Not testable on this target, with what it needs', shown.join('\n')];
}

/** What the baseline expected, apart from what is new, and the entries that somebody has to see to. */
function baselineSection(report: Report): string[] {
  const upkeep = baselineUpkeep(report);
  if (upkeep === undefined) return [];
  const known = (report.conformance?.results ?? []).filter(isExpected);
  const listed = tableOf(known.slice(0, LISTED), [
    ['Verdict', ({ verdict }) => verdict],
    ['Check', caseName],
    ['Family', ({ family }) => family],
    ['Expected because', (result) => (result.known === undefined ? '' : knownWords(result.known))],
  ]);
  const more = known.length > LISTED ? [`${known.length - LISTED} more are in index.html and report.json.`] : [];
  const lines = (['stale', 'expired', 'unused'] as const)
    .filter((outcome) => upkeep[outcome].length > 0)
    .map((outcome) => `- ${outcome}: ${plain(some(upkeep[outcome], 20), 2_000)}`);
  return [
    `### Expected failures: ${known.length}`,
    ...(known.length === 0 ? [] : [listed, ...more]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ];
}

function cleanupSection({ cleanup }: Report): string {
  const left = cleanup.residue
    .slice(0, 50)
    .map(({ family, id, command }) => `- left: ${plain(family)} ${plain(id)}: ${plain(command)}`);
  const alone = (cleanup.leftAlone ?? [])
    .slice(0, 50)
    .map(({ family, id, why }) => `- not ours, left alone: ${plain(family)} ${plain(id)}: ${plain(why)}`);
  return [
    `Made on the target: ${cleanup.created}, removed: ${cleanup.removed}, left: ${leftOf(cleanup.residue)}. Left as found: ${plain(leftAsFound(cleanup).words)}.`,
    ...left,
    ...alone,
  ].join('\n');
}

/** `summary.md`: the answers, what failed first, then the tables; never above 200 KiB. */
export function renderMarkdown(report: Report): string {
  const safe = inert(report);
  const findings = findingRows(safe);
  const around = [
    ...baselineSection(safe),
    ...loadSection(safe),
    ...capacitySection(safe),
    ...familySection(safe),
    ...notTestableSection(safe),
    cleanupSection(safe),
  ];
  const fixed = [head(safe), ...around].join('\n\n');
  const room = LIMIT_BYTES - Buffer.byteLength(fixed) - 1_000;
  const shown: string[] = [];
  let used = 0;
  for (const line of findings) {
    used += Buffer.byteLength(line) + 1;
    if (used > room) break;
    shown.push(line);
  }
  const more = findings.length - shown.length;
  const rest = more > 0 ? [`${more} more are in index.html and report.json.`] : [];
  const section = findings.length === 0 ? [] : ['### Findings', table(FINDINGS, shown), ...rest];
  return `${[head(safe), ...section, ...around].join('\n\n')}\n`;
}
