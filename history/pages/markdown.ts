import { counted, ms, percent } from '../../lib/numbers.ts';
import { inert } from '../../lib/text.ts';
import { METRICS } from '../model/metrics.ts';
import type { HistoryReport } from '../model/schema.ts';
import { answerOf } from './answer.ts';

const LONGEST = 200;
const MOST = 20;

/** Text that stays text in Markdown, on one line. */
const plain = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, (character) => `\\${character}`);

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} more`] : [];
  return ['', `## ${title}`, '', ...lines.slice(0, MOST).map((line) => `- ${plain(line)}`), ...more];
}

const changed = (changes: readonly string[]) =>
  changes.length === 0 ? 'nothing recorded changed' : `changed: ${changes.join('; ')}`;

/** One line for each check that fails, or warns, since one night. */
export function sinceLines(found: HistoryReport['failing']): string[] {
  return found.map(
    ({ checkId, results, expected, firstBad, lastGood, changes }) =>
      `${checkId} (${results.slice(0, 3).join(', ')}${results.length > 3 ? ` and ${results.length - 3} more` : ''})${expected ? ', expected' : ''}: first bad night ${firstBad.at.slice(0, 10)}, ${firstBad.run}${lastGood === undefined ? ', never passed before' : `; ${changed(changes)}`}`,
  );
}

/** One line for each cause that fails now. */
function causeLines({ failingCauses }: HistoryReport): string[] {
  return failingCauses.map(
    ({ title, results, expected, firstBad, lastGood, changes }) =>
      `${title} (${counted(results, 'check')})${expected ? ', expected' : ''}: first bad night ${firstBad.at.slice(0, 10)}, ${firstBad.run}${lastGood === undefined ? '; there in every night' : `; ${changed(changes)}`}`,
  );
}

/** One line for each change point of a load figure. */
export function changeLines({ series }: HistoryReport): string[] {
  return series.flatMap(({ name, changes, missing }) =>
    changes === null
      ? [`${name}: not enough nights, ${missing} more needed`]
      : changes.map(
          ({ metric, at, run, before, after, size, worse, changes: what }) =>
            `${name}: ${METRICS[metric].title} ${worse ? 'worse' : 'better'} by ${percent(Math.abs(size))} on ${at.slice(0, 10)}, ${run} (${ms(before)} → ${ms(after)}${METRICS[metric].unit}); ${changed(what)}`,
        ),
  );
}

/** One line for each flaky check. */
export function flakeLines({ flakes }: HistoryReport): string[] {
  return flakes.map(
    ({ checkId, rate, low, high, flaked, nights }) =>
      `${checkId}: ${percent(rate)} (${percent(low)} to ${percent(high)}), ${flaked} of ${nights} nights`,
  );
}

/** `history.md`. */
export function renderHistoryMarkdown(given: HistoryReport): string {
  const report = inert(given, LONGEST);
  const { word, lines } = answerOf(report);
  const expected = report.expected.map(
    ({ owner, expires, count, expired }) =>
      `${owner === '' ? 'no owner' : owner}: ${count} until ${expires}${expired ? ' (over)' : ''}`,
  );
  const dialect = report.dialect.map(({ at, changes }) => `${at.slice(0, 10)}: ${changes.join('; ')}`);
  return `${[
    `# ${plain(word)}`,
    '',
    `History of ${plain(report.target)}.`,
    '',
    ...lines.map((line) => `- ${plain(line)}`),
    ...listed('Failing now', [...causeLines(report), ...sinceLines(report.failing)]),
    ...listed('Warnings now', sinceLines(report.warnings)),
    ...listed('Flaky checks', flakeLines(report)),
    ...listed('Expected failures', expected),
    ...listed('Load over time', changeLines(report)),
    ...listed('Dialect over time', dialect),
  ].join('\n')}\n`;
}
