import { join, resolve } from 'node:path';
import { capacityDetails } from '../../lib/judge/capacity/details.ts';
import { metWords, notRunWords } from '../../lib/judge/cell/judge-load.ts';
import { loadCellName } from '../../lib/judge/cell/name.ts';
import { touchedByProfile } from '../../lib/judge/cell/touched.ts';
import { notTestableLines } from '../../lib/judge/conformance/not-testable.ts';
import { notProven } from '../../lib/judge/conformance/rollup.ts';
import { fingerprintWords } from '../../lib/judge/left-as-found.ts';
import { statementText } from '../../lib/records/answer.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { leftOf } from '../../lib/records/run.ts';
import { tableLines } from '../../lib/table-lines.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import { commandLine } from '../../reports/model/command-line.ts';
import { pairLines } from '../../reports/model/pairs.ts';
import { RUNS_FOLDER } from '../options/runs.ts';
import type { Output } from './output.ts';

type Paint = Output['resultPaint'];

/** Words of a verdict in its color: what was proven, what was proven otherwise, what was not proven. */
export function paintVerdict(verdict: string, paint: Paint): string {
  const word = verdictWord(verdict);
  if (word === 'passed' || word === 'ok') return paint.green(word);
  return (word === 'failed' || word === 'fault' ? paint.red : paint.yellow)(word);
}

/** The headline of a run in the color of its tone. */
function paintHeadline(report: Report, paint: Paint): string {
  const { sentence, tone } = report.answer;
  const text = statementText(sentence);
  return (tone === 'good' ? paint.green : tone === 'bad' ? paint.red : paint.yellow)(text);
}

/** A table whose last column is a verdict; the color comes after the widths. */
export function verdictTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  right: readonly number[] = [],
): string[] {
  const [head = '', ...lines] = tableLines(titles, rows, right);
  const painted = lines.map((line, at) => {
    const verdict = rows[at]?.at(-1) ?? '';
    return `${line.slice(0, line.length - verdict.length)}${paintVerdict(verdict, paint)}`;
  });
  return [paint.bold(head), ...painted];
}

/** The same with figures between the name and the verdict, as a part of the summary. */
const figureTable = (titles: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] =>
  verdictTable(titles, rows, paint, [...titles.keys()].slice(1, -1)).map((line) => `  ${line}`);

/** Needs shown in the terminal; the report has all. */
const MOST_NEEDS = 3;

/** What the target or the mode cannot show, by what would make it testable. */
function hiddenLines(report: Report): string[] {
  const lines = notTestableLines(report);
  if (lines.length === 0) return [];
  const more = lines.length - MOST_NEEDS;
  return [
    `not testable here, by what it needs${more > 0 ? ` (${more} more in the report)` : ''}:`,
    ...lines.slice(0, MOST_NEEDS).map((line) => `  ${line}`),
  ];
}

function conformanceLines(report: Report, paint: Paint): string[] {
  const part = report.conformance;
  if (part === null) return [];
  const { counts, coverage } = part;
  const cells = (
    name: string,
    { exercised, total, untestable }: { exercised: number; total: number; untestable: number },
  ) => `${name} ${exercised}/${total}${untestable > 0 ? ` (${untestable} not testable, reasons in the report)` : ''}`;
  const conformant = part.families.filter((family) => family.verdict === 'conformant').length;
  const rows = part.families.flatMap(({ name, verdict, counts: own }) => {
    const shown = [own.pass, own.fail, own.warn, notProven(own), own['not-testable'] ?? 0];
    return verdict === 'conformant' ? [] : [[name, ...shown.map(String), verdict]];
  });
  return [
    `conformance: ${conformant} of ${part.families.length} resources passed; ${part.results.length} results: ` +
      `${counts.pass} passed, ${counts.fail} failed, ${counts.warn} warnings, ${notProven(counts)} unclear, ` +
      `${(counts['not-testable'] ?? 0) + (counts['not-applicable'] ?? 0)} not tested`,
    ...(rows.length === 0
      ? []
      : figureTable(['resource', 'passed', 'failed', 'warnings', 'unclear', 'not tested', 'verdict'], rows, paint)),
    `really tested: ${cells('operations', coverage.operations)}, ${cells('filter cells', coverage.filterCells)}, ${cells('sort cells', coverage.sortCells)}`,
    ...pairLines(report),
    ...hiddenLines(report),
  ];
}

const ms = (value: number | null) => (value === null ? '-' : value.toFixed(1));

function cellRow(cell: CellReport): string[] {
  const { p50Ms, p95Ms, p99Ms } = cell.serviceTime;
  const rates = [`${cell.facts.plan.targetPerSecond}/s`, `${cell.achievedPerSecond.toFixed(1)}/s`];
  return [loadCellName(cell), ...rates, ms(p50Ms), ms(p95Ms), ms(p99Ms), cell.verdict];
}

function loadLines(report: Report, paint: Paint): string[] {
  if (report.load === null) return [];
  const { cells, notRun = [] } = report.load;
  const count = (word: string) => cells.filter((cell) => cell.verdict === word).length;
  // A run that was cut says so itself: how k6 was stopped is no finding.
  const bad = report.end?.signal === undefined ? cells.filter((cell) => cell.verdict !== 'met') : [];
  const titles = ['cell', 'rate', 'achieved', 'p50 ms', 'p95 ms', 'p99 ms', 'verdict'];
  return [
    `load: ${metWords(report.load)}, ${count('violated')} failed, ${count('invalid')} unclear${notRun.length === 0 ? '' : `, ${notRun.length} refused`}`,
    ...(cells.length === 0 ? [] : figureTable(titles, cells.map(cellRow), paint)),
    ...touchedByProfile(cells, report.run.target).map((line) => `  ${line}`),
    ...notRunWords(report.load).map((line) => `  ${line}`),
    ...bad.map((cell) => `  ${loadCellName(cell)} is ${verdictWord(cell.verdict)}: ${cell.reasons.join('; ')}`),
  ];
}

function capacityLines({ capacity }: Report): string[] {
  if (capacity === undefined) return [];
  return capacity.answers.flatMap((answer) =>
    capacityDetails(answer).map((line) => `  ${answer.profile} ${answer.operation}: ${line}`),
  );
}

/** The words that name a run for `report open`: its id where it lies with the others, else its folder. */
const placeOf = (runId: string, folder: string, args: readonly string[]): string =>
  args[0] === 'report' && resolve(folder) === resolve(RUNS_FOLDER, runId) ? runId : folder;

/** Records left on the target that are named in the terminal; the report has all. */
const MOST_LEFT = 10;

/** The result of a run, for people: what was proven, why it ends as it ends, where the report is, what comes next. */
export function summaryLines(report: Report, folder: string, paint: Paint): string[] {
  const { residue, leftAlone = [], fingerprint } = report.cleanup;
  return [
    ...conformanceLines(report, paint),
    ...loadLines(report, paint),
    ...capacityLines(report),
    ...residue
      .slice(0, MOST_LEFT)
      .map(({ family, id, command }) => `left on the target: ${family} ${id}; remove it with: ${command}`),
    ...(residue.length > MOST_LEFT ? [`left on the target: ${leftOf(residue) - MOST_LEFT} more, in the report`] : []),
    ...leftAlone.map(({ family, id, why, command }) => `not ours, left alone: ${family} ${id}: ${why}; ${command}`),
    ...(fingerprint?.equal === false ? [`records that the run did not make: ${fingerprintWords(fingerprint)}`] : []),
    ...report.answer.reasons.map(
      (reason) => `${reason.code === 0 ? 'note' : `exit ${reason.code}`}: ${statementText(reason)}`,
    ),
    `${paintHeadline(report, paint)} (exit ${report.exit.code})`,
    `report: ${join(folder, FILES.html)}`,
    ...((report.capacity?.answers.length ?? 0) === 0
      ? []
      : [`statement for a change board: ${join(folder, FILES.capacityHtml)}`]),
    ...report.answer.next.map(({ args }) => `next: ${commandLine(args, placeOf(report.run.runId, folder, args))}`),
  ];
}
