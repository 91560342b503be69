import { present } from '../../lib/present.ts';
import { commandLine, folderOf, RUN } from '../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { counted } from '../../lib/text.ts';
import { casesOf } from '../../reports/model/cases.ts';
import { failuresShown } from '../../reports/model/findings.ts';
import type { Output } from './output.ts';

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
