import { present } from '../../present.ts';
import type { Cause, Statement } from '../../records/answer.ts';
import { resultKey } from '../../records/conformance.ts';
import type { ConformanceReport } from '../../records/report.ts';
import { be, counted, short, some } from '../../text.ts';
import { isExpected, NEW_IN_SUITE } from '../conformance/baseline/known.ts';
import { causeSentence, mended } from '../conformance/failure-reasons.ts';
import { isOpen } from '../conformance/rollup.ts';
import { mostReason } from '../conformance/unproven.ts';
import { say, shown, words } from './statement.ts';

/** Letters of the first cause in the first sentence of a run, which is two lines of a page: the reasons below it have all of all. */
const LONGEST = 150;

/** What the checks showed, in one sentence; with a baseline, what is new first. */
export function conformanceSentence(part: ConformanceReport): Statement {
  const { results, verdict, baseline, families, causes } = part;
  const keys = new Set(causes.flatMap((cause) => cause.results));
  const failed = results.filter((result) => keys.has(resultKey(result)));
  const all = counted(families.length, 'resource');
  const sentenceOf = (cause: Cause) => causeSentence({ ...cause, title: short(cause.title, LONGEST) }, results);
  const good = families.filter((family) => family.verdict === 'conformant').length;
  const about = 'conformance';
  const out = families.filter((family) => family.verdict === 'not-tested').map(({ name }) => name);
  const untested = out.length === 0 ? '' : `; not tested: ${some(out, 3)}`;
  if (verdict === 'not-tested') return say(about, verdict, 'no check showed anything');
  const better = baseline === undefined ? [] : mended(baseline);
  const gone =
    better.length <= 1
      ? better.map((entry) => `passes now, take it out of the baseline: ${entry}`).join()
      : `${better.length} expected failures pass now, take them out of the baseline`;
  if (verdict === 'inconclusive') {
    const most = mostReason(results);
    const why = most === '' ? '' : `, ${most}`;
    const open = results.filter((result) => isOpen(result.verdict) && !isExpected(result)).length;
    const rest = open === 0 ? 'too little is there to test' : `${counted(open, 'result')} ${be(open)} unclear`;
    return say(about, verdict, `${good} of ${all} did all that could be tested; ${rest}${why}`);
  }
  if (verdict === 'conformant')
    return say(about, verdict, better.length > 0 ? gone : words`${good} of ${all} passed${untested}`);
  const fresh = causes.filter(({ expected }) => !expected);
  const [first] = fresh;
  const later = causes.filter(({ newRequirement }) => newRequirement === true);
  const [added] = later;
  const expected = causes.length - fresh.length - later.length;
  if (first === undefined) {
    const more =
      added &&
      `${counted(later.length, 'failure of a requirement', 'failures of requirements')} ${NEW_IN_SUITE}: ${sentenceOf(added)}`;
    const known = expected > 0 && counted(expected, 'expected failure');
    return say(about, verdict, present(gone !== '' && gone, known, more).join('; '));
  }
  const isExpired = failed.filter((result) => !isExpected(result)).every(({ known }) => known?.outcome === 'expired');
  const what = baseline === undefined ? 'failure' : isExpired ? 'failure past its date in the baseline' : 'new failure';
  const number = shown(
    counted(fresh.length, what, what.replace('failure', 'failures').replace('its', 'their')),
    failed,
  );
  const others = present(expected > 0 && `; ${expected} expected`, added && `; ${later.length} ${NEW_IN_SUITE}`).join(
    '',
  );
  return say(about, verdict, words`${number}: ${sentenceOf(first)}${others}`);
}
