import { counted, percent } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import type { Tone } from '../../lib/records/answer.ts';
import { some } from '../../lib/text.ts';
import { unexpectedOf } from '../model/failing.ts';
import { type HistoryReport, METRICS } from '../model/schema.ts';
import { RECENT_NIGHTS, worseOf } from '../model/series.ts';

const nightsWord = (count: number) => counted(count, 'night');

function greenLine({ lastGreen, nights }: HistoryReport): string {
  if (lastGreen === null) return `no green night in ${nightsWord(nights.length)}`;
  if (lastGreen.run === nights.at(-1)?.run) return `last green night: the newest, ${lastGreen.run}`;
  if (lastGreen.days === 0) return `last green night: ${lastGreen.run}, on the day of the newest`;
  return `last green night: ${lastGreen.at.slice(0, 10)}, ${lastGreen.days === 1 ? '1 day' : `${lastGreen.days} days`} before the newest`;
}

/** What a reader wants to know first: does it fail, since when, what is flaky, what got slower. */
export function answerOf(report: HistoryReport): { word: string; tone: Tone; lines: readonly string[] } {
  const { nights, counted, flakes, otherTargets, skipped, noLonger } = report;
  const [unexpected, worse] = [unexpectedOf(report), worseOf(report)];
  const newest = nights.findLast(({ counts }) => counts);
  const [first] = unexpected;
  const [latest] = [...worse].sort((a, b) => (a.at < b.at ? 1 : -1));
  const [flakiest] = flakes;
  const lines = present(
    counted === nights.length
      ? nightsWord(counted)
      : `${nightsWord(nights.length)}, ${nights.length - counted} of them not counted: cut, or not able to test`,
    greenLine(report),
    newest && `newest night: ${newest.said} (exit ${newest.exit})`,
    noLonger.length > 0 && `no longer shown, and shown the night before: ${noLonger.length}: ${some(noLonger, 3)}`,
    first && `newest failure: ${first.name}, since ${first.firstBad.at.slice(0, 10)}`,
    flakiest &&
      `${flakes.length === 1 ? '1 check is' : `${flakes.length} checks are`} flaky; worst: ${flakiest.checkId}, ${percent(flakiest.rate)}`,
    latest &&
      `${METRICS[latest.metric].title} of ${latest.name} worse by ${percent(Math.abs(latest.size))} since ${latest.at.slice(0, 10)}, ${latest.run}`,
    otherTargets.length > 0 && `${otherTargets.length} other targets are in the file: choose with --target`,
    skipped.length > 0 && `${skipped.length === 1 ? '1 line' : `${skipped.length} lines`} of the file not used`,
  );
  if (newest === undefined) return { word: 'No night that counts', tone: 'open', lines };
  if (unexpected.length > 0) {
    return { word: unexpected.length === 1 ? '1 failure' : `${unexpected.length} failures`, tone: 'bad', lines };
  }
  if (newest.exit === 0 && worse.some(({ nights: since }) => since <= RECENT_NIGHTS)) {
    return { word: 'Green, with a load figure worse', tone: 'open', lines };
  }
  return newest.exit === 0
    ? { word: 'Green', tone: 'good', lines }
    : { word: `Newest night: ${newest.said}`, tone: newest.exit === 4 ? 'open' : 'bad', lines };
}
