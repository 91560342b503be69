import { join, resolve } from 'node:path';
import { present } from '../../lib/present.ts';
import { commandLine, folderOf, type Reason, RUN, statementText, type Tone } from '../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import type { Report } from '../../lib/records/report.ts';
import { counted, verdictWord } from '../../lib/text.ts';
import { casesOf } from '../../reports/model/cases.ts';
import { failuresShown } from '../../reports/model/findings.ts';
import { documentLines, lineText } from '../../reports/render/markdown-blocks.ts';
import { leftLines, resultSections } from '../../reports/summary/sections.ts';
import { RUNS_FOLDER } from '../options/runs.ts';
import type { Output } from './output.ts';

type Paint = Output['resultPaint'];

/** Words of a verdict in its color: what was proven, what was proven otherwise, what was not proven. */
export function paintVerdict(verdict: string, paint: Paint): string {
  const word = verdictWord(verdict);
  if (word === 'passed' || word === 'ok') return paint.green(word);
  return (word === 'failed' || word === 'fault' ? paint.red : paint.yellow)(word);
}

export const paintTone = (tone: Tone, paint: Paint) =>
  tone === 'good' ? paint.green : tone === 'bad' ? paint.red : paint.yellow;

/** The words that name a run for `report open`: its id where it lies with the others, else its folder. */
const placeOf = (runId: string, folder: string, args: readonly string[]): string =>
  args[0] === 'report' && resolve(folder) === resolve(RUNS_FOLDER, runId) ? runId : folder;

/** A reason stands behind the code that the run ends with; one that would have led to another code is told beside it. */
const reasonWord = (code: number, end: number): string =>
  code === 0 ? 'note' : code === end ? `exit ${code}` : 'also';

/** The result of a run, for people. Reasons that `isTold` says to stand above already are left out. */
export function summaryLines(
  report: Report,
  folder: string,
  paint: Paint,
  isTold: (reason: Reason) => boolean = () => false,
): string[] {
  const { exit, run, answer, capacity } = report;
  const { reasons, notShown, sentence, tone, next } = answer;
  return present(
    ...documentLines(resultSections(report), (verdict) => paintVerdict(verdict, paint)),
    ...leftLines(report).map(lineText),
    ...reasons
      .filter((reason) => !isTold(reason))
      .map((reason) => `${reasonWord(reason.code, exit.code)}: ${statementText(reason)}`),
    notShown.length > 0 && `not shown: ${notShown.map(statementText).join('; ')}`,
    `${paintTone(tone, paint)(statementText(sentence))} (exit ${exit.code})`,
    `report: ${join(folder, FILES.html)}`,
    (capacity?.answers ?? []).length > 0 && `statement for a change board: ${join(folder, FILES.capacityHtml)}`,
    ...next.map(({ args }) => `next: ${commandLine(args, placeOf(run.runId, folder, args))}`),
  );
}

/** Failures shown in the terminal, and annotations of a CI run; the report has all. */
const MOST = 10;

/** New failures for a terminal: sentence, request, answer, difference, and a command that shows it again. */
export function failureLines(
  report: Report,
  exchanges: readonly ExchangeRecord[],
  paint: Output['resultPaint'],
): string[] {
  const failures = failuresShown(report, exchanges);
  const part = (name: string, text: string | undefined) => text !== undefined && `   ${name.padEnd(9)} ${text}`;
  const more = failures.length - MOST;
  const isGone = !report.run.target.embedded && failures.some(({ curl }) => curl === undefined);
  const again = commandLine(['report', 'export', RUN], folderOf(report.run));
  const shown = failures
    .slice(0, MOST)
    .flatMap(({ sentence, name, check, sent, answered, expected, observed, curl }, at) =>
      present(
        '',
        `${at + 1}) ${paint.red(sentence)} ${paint.gray(`[${name}; ${check}]`)}`,
        part('sent', sent),
        part('answered', answered),
        expected !== undefined && paint.green(`   - expected ${expected}`),
        observed !== undefined && paint.red(`   + observed ${observed}`),
        ...(curl?.split('\n').map((line) => `   ${line}`) ?? []),
      ),
    );
  const gone = `A failure without a curl line needs records that the run made: \`${again}\` writes a program that makes them, or says why it cannot.`;
  return [
    ...shown,
    ...(failures.length === 0 ? [] : ['']),
    ...(more > 0 ? [`and ${counted(more, 'more failure')}: see the report`, ''] : []),
    ...(isGone ? [gone, ''] : []),
  ];
}

/** Annotations of GitHub Actions: each cause of new failures, and each other case that JUnit shows as failed or as an error. */
export const annotations = (report: Report, exchanges: readonly ExchangeRecord[]): readonly string[] =>
  [
    ...failuresShown(report, exchanges).map(({ sentence, check }) => `${sentence} [${check}]`),
    ...casesOf(report)
      .filter(({ outcome, result }) => result === undefined && (outcome === 'failure' || outcome === 'error'))
      .map(({ name, suite, message = '' }) => `${message} [${suite} ${name}]`),
  ].slice(0, MOST);
