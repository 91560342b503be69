import { metWords, notRunWords } from '../../lib/judge/cell/judge-load.ts';
import { touchedByProfile } from '../../lib/judge/cell/touched.ts';
import { baselineUpkeep, isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { notTestableLines } from '../../lib/judge/conformance/not-testable.ts';
import { notProven } from '../../lib/judge/conformance/rollup.ts';
import { leftAsFound } from '../../lib/judge/left-as-found.ts';
import { count, duration, ms, rate } from '../../lib/numbers.ts';
import { statementText } from '../../lib/records/answer.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { leftOf } from '../../lib/records/run.ts';
import { excerpt, inert, some } from '../../lib/text.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import { caseName } from '../model/cases.ts';
import { commandLine } from '../model/command-line.ts';
import { findingsOf } from '../model/findings.ts';
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

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
}

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

function findingRows(report: Report): string[] {
  const results = (report.conformance?.results ?? []).filter((result) => !isExpected(result));
  const causes = report.conformance?.causes ?? [];
  return findingsOf({ results, causes }, report.catalogue).map(({ result, alike }) =>
    row(
      [
        result.verdict,
        ...(result.flaky === true ? ['flaky'] : []),
        ...(result.known?.outcome === 'expired' ? ['expectation expired'] : []),
      ].join(', '),
      plain(`${caseName(result)}${alike.length === 0 ? '' : ` and ${alike.length} more`}`),
      plain(
        [result, ...alike]
          .map(({ family }) => family)
          .filter((name, at, all) => all.indexOf(name) === at)
          .join(', '),
      ),
      plain(result.requirement),
      plain(result.expected ?? result.title),
      plain(result.observed ?? result.reason ?? ''),
    ),
  );
}

function cellRow(cell: CellReport): string {
  const { profile, operation, verdict, responseTime: response, serviceTime: service, reasons } = cell;
  return row(
    plain(profile),
    plain(operation),
    verdict === 'met' ? verdictWord(verdict) : `**${verdictWord(verdict)}**`,
    `${count(cell.scheduled)} / ${count(cell.started)} / ${count(cell.dropped)} / ${count(cell.failed)}`,
    `${rate(cell.facts.plan.targetPerSecond)} / ${rate(cell.achievedPerSecond)}`,
    `${ms(service.p50Ms)} / ${ms(service.p99Ms)}`,
    `${ms(response.p50Ms)} / ${ms(response.p99Ms)}`,
    plain(reasons.join('; ')),
  );
}

function loadSection(report: Report): string[] {
  if (report.load === null) return [];
  const worst = { violated: 0, invalid: 1, met: 2 };
  const cells = [...report.load.cells].sort((a, b) => worst[a.verdict] - worst[b.verdict]);
  const titles = [
    'Profile',
    'Operation',
    'Verdict',
    'Scheduled / started / dropped / failed',
    'Scheduled / achieved per s',
  ];
  const times = ['Service p50 / p99 ms', 'Response p50 / p99 ms', 'Reasons'];
  const touched = [...touchedByProfile(cells, report.run.target), ...notRunWords(report.load)].map(
    (line) => `- ${plain(line, 600)}`,
  );
  return [`### Load: ${metWords(report.load)}`, table([...titles, ...times], cells.map(cellRow)), touched.join('\n')];
}

function answerRow(answer: CapacityAnswer): string {
  const { profile, operation, verdict, heldPerSecond, failedPerSecond, headroom, atLeast, connections, limit } = answer;
  const least = atLeast ? '≥ ' : '';
  return row(
    plain(profile),
    plain(operation),
    verdict === 'met' ? verdictWord(verdict) : `**${verdictWord(verdict)}**`,
    heldPerSecond === null ? 'none' : `${least}${rate(heldPerSecond)}`,
    failedPerSecond === null ? '—' : rate(failedPerSecond),
    headroom === null ? '—' : `${least}${headroom.toFixed(2)}`,
    String(connections),
    plain(limit),
  );
}

function capacitySection({ capacity }: Report): string[] {
  if (capacity === undefined || capacity.answers.length === 0) return [];
  const titles = [
    'Profile',
    'Operation',
    'Verdict',
    'Held per s',
    'First that did not per s',
    'Headroom',
    'Connections',
  ];
  return [
    `### Capacity: ${verdictWord(capacity.verdict)}`,
    table([...titles, 'Limited by'], capacity.answers.map(answerRow)),
  ];
}

function familySection(report: Report): string[] {
  const part = report.conformance;
  if (part === null) return [];
  const rows = part.families.map(({ name, verdict, counts }) =>
    row(
      plain(name),
      verdict,
      ...[counts.pass, counts.fail, counts.warn, notProven(counts), counts['not-testable']].map(String),
    ),
  );
  return [
    `### Conformance: ${verdictWord(part.verdict)}`,
    table(['Resource', 'Verdict', 'Passed', 'Failed', 'Warnings', 'Unclear', 'Not tested'], rows),
    ...pairLines(report).map((line) => plain(line, 1_000)),
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
  const rows = known
    .slice(0, LISTED)
    .map((result) =>
      row(
        result.verdict,
        plain(caseName(result)),
        plain(result.family),
        plain(result.known === undefined ? '' : knownWords(result.known)),
      ),
    );
  const more = known.length > LISTED ? [`${known.length - LISTED} more are in index.html and report.json.`] : [];
  const lines = (['stale', 'expired', 'unused'] as const)
    .filter((outcome) => upkeep[outcome].length > 0)
    .map((outcome) => `- ${outcome}: ${plain(some(upkeep[outcome], 20), 2_000)}`);
  return [
    `### Expected failures: ${known.length}`,
    ...(rows.length === 0 ? [] : [table(['Verdict', 'Check', 'Family', 'Expected because'], rows), ...more]),
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
  const titles = ['Verdict', 'Check', 'Families', 'Requirement', 'Expected', 'Observed'];
  const section =
    findings.length === 0
      ? []
      : [
          `### Findings`,
          table(titles, shown),
          ...(more > 0 ? [`${more} more are in index.html and report.json.`] : []),
        ];
  return `${[head(safe), ...section, ...around].join('\n\n')}\n`;
}
