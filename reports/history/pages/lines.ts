import { present } from '../../../lib/present.ts';
import type { Tone } from '../../../lib/records/answer.ts';
import { counted, inert, ms, percent, some } from '../../../lib/text.ts';
import { type Block, type Line, type Section, section } from '../../model/document.ts';
import { plain, sectionMarkdown } from '../../render/markdown-blocks.ts';
import { unexpectedOf } from '../model/history-report.ts';
import { type HistoryReport, METRICS, type Since } from '../model/schema.ts';
import { RECENT_NIGHTS, worseOf } from '../model/series.ts';

function greenLine({ lastGreen, nights }: HistoryReport): string {
  if (lastGreen === null) return `no green run in ${counted(nights.length, 'run')}`;
  if (lastGreen.run === nights.at(-1)?.run) return `last green run: the newest, ${lastGreen.run}`;
  if (lastGreen.days === 0) return `last green run: ${lastGreen.run}, on the day of the newest`;
  return `last green run: ${lastGreen.at.slice(0, 10)}, ${lastGreen.days === 1 ? '1 day' : `${lastGreen.days} days`} before the newest`;
}

/** Outcome of a night, as one word; what was unclear or refused says nothing against the target. */
export const nightState = ({ counts, exit }: HistoryReport['nights'][number]) =>
  !counts ? 'uncounted' : exit === 0 ? 'pass' : exit === 4 || exit === 7 ? 'open' : 'fail';

export const TONES = { uncounted: 'open', pass: '', open: 'open', fail: 'bad' } as const;

/** What a reader wants to know first: does it fail, since when, what is flaky, what got slower. */
export function answerOf(report: HistoryReport): { word: string; tone: Tone; lines: readonly string[] } {
  const { nights, counted: all, flakes, otherTargets, skipped, noLonger } = report;
  const [unexpected, worse] = [unexpectedOf(report), worseOf(report)];
  const newest = nights.findLast(({ counts }) => counts);
  const last = nights.at(-1);
  const [first] = unexpected;
  const [latest] = [...worse].sort((a, b) => (a.at < b.at ? 1 : -1));
  const [flakiest] = flakes;
  const lines = present(
    all === nights.length
      ? counted(all, 'run')
      : `${counted(nights.length, 'run')}, ${nights.length - all} of them not counted: cut, or not able to test`,
    greenLine(report),
    last && `newest run: ${last.said} (exit ${last.exit})`,
    newest && newest !== last && `newest run that counts: ${newest.said} (exit ${newest.exit})`,
    noLonger.length > 0 && `no longer shown, and shown the run before: ${noLonger.length}: ${some(noLonger, 3)}`,
    first && `newest failure: ${first.name}, since ${first.firstBad.at.slice(0, 10)}`,
    flakiest &&
      `${flakes.length === 1 ? '1 check is' : `${flakes.length} checks are`} flaky; worst: ${flakiest.checkId}, ${percent(flakiest.rate)}`,
    latest &&
      `${METRICS[latest.metric].title} of ${latest.name} worse by ${percent(Math.abs(latest.size))} since ${latest.at.slice(0, 10)}, ${latest.run}`,
    otherTargets.length > 0 && `${otherTargets.length} other targets are in the file: choose with --target`,
    skipped.length > 0 && `${skipped.length === 1 ? '1 line' : `${skipped.length} lines`} of the file not used`,
  );
  if (newest === undefined) return { word: 'No run that counts', tone: 'open', lines };
  if (unexpected.length > 0) {
    return { word: unexpected.length === 1 ? '1 failure' : `${unexpected.length} failures`, tone: 'bad', lines };
  }
  if (newest.exit === 0 && worse.some(({ nights: since }) => since <= RECENT_NIGHTS)) {
    return { word: 'Green, with a load figure worse', tone: 'open', lines };
  }
  return newest.exit === 0
    ? { word: newest === last ? 'Green' : 'Green when last tested', tone: newest === last ? 'good' : 'open', lines }
    : { word: `Newest run: ${newest.said}`, tone: TONES[nightState(newest)] || 'good', lines };
}

/** A line of a history: what it is about, and what is said of that. The page, the Markdown and the terminal show the same. */
const entry = (name: string, said: string): Line => [{ text: name, strong: true }, said];
export const list = (lines: readonly Line[], most = Number.POSITIVE_INFINITY): Block => ({
  kind: 'list',
  lines: [...lines.slice(0, most), ...(lines.length > most ? [[`and ${lines.length - most} more`]] : [])],
});
const day = (at: string) => at.slice(0, 10);

const changed = (changes: readonly string[]) =>
  changes.length === 0 ? 'nothing that is recorded changed in that run' : `changed in that run: ${changes.join('; ')}`;

function sinceWords({ firstBad, lastGood, nights, changes, earlier }: Since, never: string): string {
  const since = `${day(firstBad.at)}, ${firstBad.run}, ${counted(nights, 'run')}`;
  if (lastGood === undefined) return `first bad run ${since}; ${never}`;
  const gap = `last run without it ${day(lastGood.at)}`;
  if (earlier === undefined) return `first bad run ${since}; ${gap}; ${changed(changes)}`;
  const first = `first bad run ${day(earlier.at)}, ${earlier.run}, ${counted(earlier.nights, 'run')}`;
  return `${first}; ${gap}; back since ${since}; ${changed(changes)}`;
}

const MOST_RESULTS = 6;
const failingLines = ({ failing, failingCauses }: HistoryReport): readonly Line[] => [
  ...failingCauses.map(({ id, title, results, ...since }) =>
    entry(
      title,
      ` (${counted(results, 'result')}, ${id})${since.expected ? ', expected' : ''}: ${sinceWords(since, 'there in every run')}`,
    ),
  ),
  ...failing.map(({ checkId, title, results, ...since }) =>
    entry(
      checkId,
      `${title === checkId ? '' : ` ${title}`} (${some(results, MOST_RESULTS)})${since.expected ? ', expected' : ''}: ${sinceWords(since, 'never passed before')}`,
    ),
  ),
];

/** Change points of the figures of one cell, each behind these words. */
export const changeLines = ({ changes }: HistoryReport['series'][number], before = ''): readonly Line[] =>
  (changes ?? []).map(({ metric, at, run, before: was, after, size, confidence, worse, changes: what }) =>
    entry(
      `${before}${METRICS[metric].title} ${worse ? 'worse' : 'better'} by ${percent(Math.abs(size))} on ${day(at)}`,
      `, ${run}: ${ms(was)} → ${ms(after)}${METRICS[metric].unit}, confidence ${(confidence * 100).toFixed(confidence > 0.9999 ? 0 : 2)} %; ${changed(what)}`,
    ),
  );

/** The same of all cells, and what is missing of those with too few nights. */
const loadLines = ({ series }: HistoryReport): readonly Line[] =>
  series.flatMap((one) =>
    one.changes === null
      ? [entry(one.name, `: not enough runs, ${one.missing} more needed`)]
      : changeLines(one, `${one.name}: `),
  );

const flakeLines = ({ flakes }: HistoryReport): readonly Line[] =>
  flakes.map(({ checkId, rate, low, high, flaked, steady, nights }) =>
    entry(
      checkId,
      `: ${percent(rate)} (${percent(low)} to ${percent(high)}), ${flaked} of ${nights} runs${steady === 0 ? '' : `; ${steady === flaked ? 'each time' : `in ${steady} of them`} it failed throughout the run, and passed before and after`}`,
    ),
  );

const expectedLines = ({ expected }: HistoryReport): readonly Line[] =>
  expected.map(({ owner, expires, count, expired }) =>
    entry(
      owner === '' ? 'no owner' : owner,
      `: ${counted(count, 'result')} until ${expires}${expired ? ', which is over' : ''}`,
    ),
  );

const TOLD = [
  ['failing', 'Failing when last decided', failingLines],
  ['flakes', 'Flaky checks', flakeLines],
  ['expected', 'Expected failures', expectedLines],
  ['load', 'Load over time', loadLines],
] as const;

/** What is told of a history besides its answer, part by part, in so many lines each: the page, the Markdown and the terminal show the same. */
export const toldOf = (report: HistoryReport, most: number): readonly Section[] =>
  TOLD.flatMap(([id, title, of]) => {
    const lines = of(report);
    return lines.length === 0 ? [] : [section(id, title, list(lines, most))];
  });

const LONGEST = 200;
const MOST = 20;
export function renderHistoryMarkdown(given: HistoryReport): string {
  const report = inert(given, LONGEST);
  const { word, lines } = answerOf(report);
  const parts = [
    `# ${plain(word)}`,
    `History of ${plain(report.target)}.`,
    lines.map((line) => `- ${plain(line)}`).join('\n'),
    ...toldOf(report, MOST).map((one) => sectionMarkdown(one, '##')),
  ];
  return `${parts.join('\n\n')}\n`;
}
