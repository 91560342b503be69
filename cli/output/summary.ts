import { join, resolve } from 'node:path';
import { type Reason, statementText } from '../../lib/records/answer.ts';
import { commandLine } from '../../lib/records/command-line.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import type { Report } from '../../lib/records/report.ts';
import { verdictWord } from '../../lib/verdict-words.ts';
import { documentLines, lineText } from '../../reports/render/document-lines.ts';
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

function paintHeadline(report: Report, paint: Paint): string {
  const { sentence, tone } = report.answer;
  const text = statementText(sentence);
  return (tone === 'good' ? paint.green : tone === 'bad' ? paint.red : paint.yellow)(text);
}

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
  return [
    ...documentLines(resultSections(report), (verdict) => paintVerdict(verdict, paint)),
    ...leftLines(report).map(lineText),
    ...report.answer.reasons
      .filter((reason) => !isTold(reason))
      .map((reason) => `${reasonWord(reason.code, report.exit.code)}: ${statementText(reason)}`),
    ...(report.answer.notShown.length === 0
      ? []
      : [`not shown: ${report.answer.notShown.map(statementText).join('; ')}`]),
    `${paintHeadline(report, paint)} (exit ${report.exit.code})`,
    `report: ${join(folder, FILES.html)}`,
    ...((report.capacity?.answers.length ?? 0) === 0
      ? []
      : [`statement for a change board: ${join(folder, FILES.capacityHtml)}`]),
    ...report.answer.next.map(({ args }) => `next: ${commandLine(args, placeOf(report.run.runId, folder, args))}`),
  ];
}
