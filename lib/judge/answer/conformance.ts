import { counted } from '../../numbers.ts';
import type { Statement } from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { ConformanceReport } from '../../records/report.ts';
import { say, shown, words } from './statement.ts';

/** What the checks showed, in one sentence; with a baseline, what is new first. */
export function conformanceSentence(part: ConformanceReport): Statement {
  const { results, verdict, baseline, families, causes } = part;
  const keys = new Set(causes.flatMap((cause) => cause.results));
  const failed = results.filter((result) => keys.has(resultKey(result)));
  const all = counted(families.length, 'resource');
  const good = families.filter((family) => family.verdict === 'conformant').length;
  const about = 'conformance';
  if (verdict === 'not-tested') return say(about, verdict, 'no check showed anything');
  if (verdict === 'inconclusive')
    return say(about, verdict, `${good} of ${all} did all that could be tested, the others are unclear`);
  if (verdict === 'conformant')
    return baseline?.entries.some(({ outcome }) => outcome === 'stale') === true
      ? say(about, verdict, `${good} of ${all} passed, and the baseline expects failures that are gone`)
      : say(about, verdict, words`${good} of ${all} passed`);
  if (baseline === undefined) {
    const number = shown(counted(failed.length, 'check'), failed);
    return say(about, verdict, words`${number} failed, of ${counted(causes.length, 'cause')}`);
  }
  const fresh = causes.filter(({ expected }) => !expected);
  const expected = failed.filter(({ known }) => known?.outcome === 'expected').length;
  if (fresh.length === 0) return say(about, verdict, counted(expected, 'expected failure'));
  return say(
    about,
    verdict,
    `${counted(fresh.length, 'new failure')}${expected === 0 ? '' : `; ${expected} expected`}`,
  );
}
