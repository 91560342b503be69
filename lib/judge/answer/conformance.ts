import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { present } from '../../present.ts';
import { type Cause, type Reason, type Statement, statementText } from '../../records/answer.ts';
import type { BaselineOutcome, BaselineReport } from '../../records/baseline.ts';
import { resultKey } from '../../records/conformance.ts';
import type { ConformanceReport } from '../../records/report.ts';
import { be, counted, short, some } from '../../text.ts';
import { changedName, entryName, isExpected, isReasonMissing, NEW_IN_SUITE } from '../conformance/baseline/known.ts';
import { seesLess } from '../conformance/coverage.ts';
import { flakyShare, isOpen, mostReason } from '../conformance/unproven.ts';
import type { Scope } from '../scope.ts';
import { because, say, shown, words } from './statement.ts';

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
  const name = better.length === 1 ? `: ${better}` : '';
  const gone = `${counted(better.length, ...ENTRY)} ${be(better.length)} no longer needed${name}`;
  if (verdict === 'inconclusive') {
    const most = mostReason(results);
    const why = most === '' ? '' : `, ${most}`;
    const open = results.filter((result) => isOpen(result.verdict) && !isExpected(result)).length;
    const rest = open === 0 ? 'too little is there to test' : `${counted(open, 'result')} ${be(open)} unclear`;
    return say(about, verdict, `${good} of ${all} did all that could be tested; ${rest}${why}`);
  }
  const warned = part.counts.warn === 0 ? '' : `, with ${counted(part.counts.warn, 'warning')}`;
  if (verdict === 'conformant')
    return say(about, verdict, better.length > 0 ? gone : words`${good} of ${all} passed${warned}${untested}`);
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
    return say(about, verdict, present(better.length > 0 && gone, known, more).join('; '));
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

/** What reasons are about that name a cause: whoever shows the causes themselves leaves them out. */
export const CAUSES = 'causes';

const MOST_CAUSES = 5;

/** `GET /ers/config/portal answers 500 "Operation search PORTAL failed" (6 results)`. */
export function causeSentence({ title, results }: Cause, all: ConformanceReport['results']): string {
  const keys = new Set(results);
  const own = all.filter((result) => keys.has(resultKey(result)));
  return `${title} (${counted(results.length, 'result')}${flakyShare(own)})`;
}

const reason = (code: ExitCode, number: number, text: string): Reason[] => (number === 0 ? [] : [because(code, text)]);

/** A reason for each cause, its name for programs behind it. */
function causeReasons(
  causes: readonly Cause[],
  all: ConformanceReport['results'],
  word: string,
  code: ExitCode = EXIT.failed,
): Reason[] {
  const more = causes.length - MOST_CAUSES;
  return [
    ...causes.slice(0, MOST_CAUSES).map((cause) => `${word}: ${causeSentence(cause, all)} [${cause.id}]`),
    ...(more > 0 ? [`${word}: ${counted(more, 'more cause')}, in the report`] : []),
  ].map((text) => because(code, text, CAUSES));
}

function plainReasons({ results, counts, causes }: ConformanceReport, scope: Scope): Reason[] {
  const { warn } = counts;
  return [
    ...causeReasons(causes, results, 'failed'),
    ...(scope.strict ? reason(EXIT.failed, warn, `${counted(warn, 'warning')} in a strict run`) : []),
  ];
}

const ENTRY = ['baseline entry', 'baseline entries'] as const;

const placeOf = (entry: BaselineReport['entries'][number], file: string) =>
  `${entryName(entry)} (${file}${entry.line === undefined ? '' : `, line ${entry.line}`})`;

/** What passes now although it was expected to fail, and where that stands: `FOP-EQ list (expected.yaml, line 12)`. */
const mended = ({ file, entries }: BaselineReport): readonly string[] =>
  entries.filter(({ outcome }) => outcome === 'stale').map((entry) => placeOf(entry, file));

function baselineReasons({ results, causes }: ConformanceReport, baseline: BaselineReport, scope: Scope): Reason[] {
  const named = (
    outcome: BaselineOutcome,
    code: ExitCode,
    one: string,
    several: string,
    nameOf: (entry: BaselineReport['entries'][number]) => string = entryName,
  ) => {
    const entries = baseline.entries.filter((entry) => entry.outcome === outcome);
    const verb = entries.length === 1 ? one : several;
    return reason(code, entries.length, `${counted(entries.length, ...ENTRY)} ${verb}: ${some(entries.map(nameOf))}`);
  };
  const fresh = causes.filter((cause) => !cause.expected);
  const later = causes.filter(({ newRequirement }) => newRequirement === true);
  const unexplained = baseline.entries.filter(isReasonMissing);
  const expected = causes.filter((cause) => cause.expected && !later.includes(cause));
  const consequences = baseline.consequences.length;
  const share = expected.reduce((sum, cause) => sum + cause.results.length, 0);
  const less = seesLess(baseline.least, scope).join(' and ');
  const was = less === '' ? 'not decided by this run' : `not tested: the run was of ${less}`;
  const undecided = named('unused', EXIT.ok, `was ${was}`, `were ${was}`, (entry) =>
    less === '' ? entryName(entry) : placeOf(entry, baseline.file),
  );
  return [
    ...causeReasons(fresh, results, 'new'),
    ...causeReasons(later, results, NEW_IN_SUITE, EXIT.ok),
    ...named('expired', EXIT.failed, 'has expired', 'have expired'),
    ...named('stale', EXIT.ok, 'is no longer needed', 'are no longer needed', (entry) => placeOf(entry, baseline.file)),
    ...reason(
      EXIT.ok,
      share,
      `${counted(expected.length, 'expected failure')}: ${counted(share, 'result')} failed` +
        `${consequences === 0 ? '' : `, ${consequences} unclear because of ${expected.length === 1 ? 'it' : 'them'}`}`,
    ),
    ...named('changed', EXIT.ok, 'fails in another way', 'fail in another way', changedName),
    ...undecided,
    ...reason(EXIT.ok, unexplained.length, `${counted(unexplained.length, ...ENTRY)} without a reason`),
  ];
}

/** Why failures end the run with exit 1: all of them, or with a baseline only those that it does not expect, and its own faults. */
export const failureReasons = (part: ConformanceReport, scope: Scope): Reason[] =>
  part.baseline === undefined ? plainReasons(part, scope) : baselineReasons(part, part.baseline, scope);

/** What a run that is not strict warns of: nobody else shows these causes. */
export const warningReasons = (causes: readonly Cause[], { results }: ConformanceReport): Reason[] =>
  causeReasons(causes, results, 'warning').map((each) => because(EXIT.ok, statementText(each)));
