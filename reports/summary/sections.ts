import { groupBy } from '../../lib/group-by.ts';
import { hasShown } from '../../lib/judge/answer/reasons.ts';
import { capacityDetails } from '../../lib/judge/capacity/capacity-answer.ts';
import { loadCellName, metWords, notRunWords, touchedByProfile } from '../../lib/judge/cell/judge-load.ts';
import { isExpected, resourceWord } from '../../lib/judge/conformance/baseline/known.ts';
import { testedWords } from '../../lib/judge/conformance/coverage.ts';
import { notProven, notTested, untestedLines } from '../../lib/judge/conformance/unproven.ts';
import { fingerprintWords, residueKinds } from '../../lib/judge/left-as-found.ts';
import { present } from '../../lib/present.ts';
import type { ConformanceReport, Report } from '../../lib/records/report.ts';
import { leftOf } from '../../lib/records/run.ts';
import { count, counted, ms, rate } from '../../lib/text.ts';
import { type Block, figures, type Line, type Section, section } from '../model/document.ts';
import { headroomText, heldText, limitRange, limitWords } from '../model/held.ts';

/** Needs that are shown; the page has all. */
const MOST_NEEDS = 3;
/** Records left on the target that are named; the page has all. */
const MOST_LEFT = 10;

/** What the target or the mode cannot show, by what would make it testable. */
function hiddenBlocks(report: Report): readonly (Block | string)[] {
  const lines = untestedLines(report);
  if (lines.length === 0) return [];
  const more = lines.length - MOST_NEEDS;
  return [
    `not tested, by what it needs${more > 0 ? ` (${more} more in the report)` : ''}:`,
    { kind: 'list', lines: lines.slice(0, MOST_NEEDS).map((line) => [line]) },
  ];
}

/** Milliseconds from which on a reader of the run should know that writes show late. */
const LATE_MS = 100;

/** How late the target shows what was written, if it does. */
function lateLines({ dialect }: ConformanceReport): readonly string[] {
  const lines = [
    ['visibility.delay-ms', 'a create, an update or a delete'],
    ['anc.delay-ms', 'an apply or a clear'],
  ] as const;
  return lines.flatMap(([id, write]) => {
    const answer = dialect[id]?.answer;
    return typeof answer === 'number' && answer >= LATE_MS
      ? [`${write} was seen up to ${count(answer)} ms after it was answered`]
      : [];
  });
}

function conformanceSection(report: Report): Section[] {
  const part = report.conformance;
  if (part === null) return [];
  const { counts, coverage, families, results } = part;
  const others = families
    .filter(({ verdict }) => verdict !== 'conformant')
    .map((family) => ({ ...family, verdict: resourceWord(family, results) }));
  const known = results.filter((result) => result.verdict === 'fail' && isExpected(result)).length;
  const expected = known === 0 ? '' : ` (${known === counts.fail ? 'all' : known} as expected)`;
  const title =
    `conformance: ${families.length - others.length} of ${counted(families.length, 'resource')} passed; ${counted(results.length, 'result')}: ` +
    `${count(counts.pass)} passed, ${count(counts.fail)} failed${expected}, ${counted(counts.warn, 'warning')}, ${notProven(counts)} unclear, ` +
    `${count(notTested(counts))} not tested, ${counted(counts.info, 'note')}`;
  return [
    section(
      'conformance',
      title,
      ...figures(others, [
        ['resource', ({ name }) => name],
        ['passed', ({ counts: own }) => String(own.pass)],
        ['failed', ({ counts: own }) => String(own.fail)],
        ['warnings', ({ counts: own }) => String(own.warn)],
        ['unclear', ({ counts: own }) => String(notProven(own))],
        ['not tested', ({ counts: own }) => String(notTested(own))],
      ]),
      `really tested: ${testedWords(coverage)}`,
      ...lateLines(part),
      ...hiddenBlocks(report),
    ),
  ];
}

function loadSection({ load, run, end }: Report): Section[] {
  if (load === null) return [];
  const { cells, notRun = [] } = load;
  const number = (word: string) => cells.filter((cell) => cell.verdict === word).length;
  // A run that was cut says so itself: how k6 was stopped is no finding.
  const bad = end?.signal === undefined ? cells.filter((cell) => cell.verdict !== 'met') : [];
  const refused = notRun.length === 0 ? '' : `, ${notRun.length} refused`;
  return [
    section(
      'load',
      `load: ${metWords(load)}, ${number('violated')} failed, ${number('invalid')} unclear${refused}`,
      ...figures(cells, [
        ['measurement', loadCellName],
        ['rate', ({ facts }) => `${facts.plan.targetPerSecond}/s`],
        ['achieved', ({ achievedPerSecond }) => `${achievedPerSecond.toFixed(1)}/s`],
        ['dropped', ({ dropped }) => count(dropped)],
        ['failed', ({ failed }) => count(failed)],
        ['service p50 ms', ({ serviceTime }) => ms(serviceTime.p50Ms)],
        ['service p99 ms', ({ serviceTime }) => ms(serviceTime.p99Ms)],
        ['response p99 ms', ({ responseTime }) => ms(responseTime.p99Ms)],
      ]),
      ...touchedByProfile(cells, run.target),
      ...notRunWords(load),
      // The first reason of each is one of the end of the run.
      ...bad.flatMap(({ reasons: [, ...more], ...cell }) =>
        more.length === 0 ? [] : [`${loadCellName(cell)}, besides: ${more.join('; ')}`],
      ),
    ),
  ];
}

/** What searches came to; none if no step was run. */
export function capacitySection({ capacity, end }: Report): Section[] {
  if (capacity === undefined || capacity.answers.length === 0) return [];
  const cut = end === null || end.signal !== undefined;
  return [
    section(
      'capacity',
      'capacity',
      ...figures(capacity.answers, [
        ['search', loadCellName],
        ['held /s', heldText],
        [
          'first that did not /s',
          (answer) => (Number.isFinite(limitRange(answer)[1]) ? rate(limitRange(answer)[1]) : '—'),
        ],
        ['headroom', headroomText],
        ['connections', ({ connections }) => String(connections)],
        ['limited by', (answer) => limitWords(answer, cut)],
      ]),
      {
        kind: 'list',
        lines: capacity.answers.flatMap((answer) =>
          capacityDetails(answer).map((line) => [
            capacity.answers.length === 1 ? line : `${loadCellName(answer)}: ${line}`,
          ]),
        ),
      },
    ),
  ];
}

/** What a run showed, part by part, for the terminal and `summary.md` alike. No text has been made inert. */
export const resultSections = (report: Report): readonly Section[] =>
  // Of nothing there is no table: the end of the run says why.
  hasShown(report) ? [...conformanceSection(report), ...loadSection(report), ...capacitySection(report)] : [];

type Residue = Report['cleanup']['residue'];

const isLookedFor = ({ command }: Residue[number]) => / -X GET /.test(command);

/** One entry for all writes of a family that one look in its list tells of, with their number where the id of a record stands. */
const byFamily = (writes: Residue): Residue => [
  ...[...groupBy(writes.filter(isLookedFor), ({ family }) => family).values()].flatMap((all) =>
    all.slice(0, 1).map((one) => ({ ...one, id: `(${counted(leftOf(all), 'write')})`, number: leftOf(all) })),
  ),
  ...writes.filter((one) => !isLookedFor(one)),
];

/** A line for each of the first of them, and one that counts the others. */
const mostOf = <T extends Residue[number]>(all: readonly T[], said: string, lineOf: (one: T) => Line) =>
  present<Line>(
    ...all.slice(0, MOST_LEFT).map(lineOf),
    all.length > MOST_LEFT && [`${said}: ${leftOf(all.slice(MOST_LEFT))} more, in the report`],
  );

const ALONE = 'may be of the run, left alone';

/** What the run left on the target, and what it left alone there, a line each. */
export function leftLines({ cleanup }: Report): readonly Line[] {
  const { residue, leftAlone = [], fingerprint } = cleanup;
  const told = residue[0]?.why;
  return [
    ...residueKinds(residue).flatMap(({ label, records }) =>
      mostOf(records[0]?.standing === 'unknown' ? byFamily(records) : records, label, (one) => [
        `${label}: ${one.family} ${one.id}${one.why === undefined || one.why === told ? '' : `: ${one.why}`}; ${isLookedFor(one) ? 'look' : 'remove it'} with: `,
        { text: one.command, code: true },
      ]),
    ),
    ...mostOf(leftAlone, ALONE, ({ family, id, why, command }) => [
      `${ALONE}: ${family} ${id}: ${why}; look with: `,
      { text: command, code: true },
    ]),
    ...present<Line>(
      fingerprint?.equal === false && [
        `records that the run did not make: ${fingerprintWords({ fingerprint, residue })}`,
      ],
    ),
  ];
}
