import { groupBy } from '../../lib/group-by.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { statementText } from '../../lib/records/answer.ts';
import type { Report } from '../../lib/records/report.ts';
import { tookWords } from '../../lib/records/run.ts';
import { counted, inert, instant, ms, verdictWord } from '../../lib/text.ts';
import { type Block, type Section, section, table } from '../model/document.ts';
import type { Comparison, SearchComparison } from './comparison.ts';
import type { Change, ConformanceComparison } from './conformance.ts';
import type { CellComparison, LoadComparison } from './load.ts';
import { FEWEST_RUNS } from './load-difference.ts';

const LONGEST = 600;
const LISTED = 50;

const because = (reasons: readonly string[]): string => (reasons.length === 0 ? '' : ` (${reasons.join('; ')})`);
const listOf = (lines: readonly string[]): readonly Block[] =>
  lines.length === 0 ? [] : [{ kind: 'list', lines: lines.map((line) => [line]) }];

const FACTS: readonly (readonly [string, (report: Report) => string])[] = [
  ['Run', ({ run }) => run.runId],
  ['Started', ({ run }) => instant(run.startedAt)],
  ['Took', ({ end }) => tookWords(end)],
  ['Target', ({ run: { target } }) => (target.embedded ? 'embedded deployment' : target.baseUrl)],
  ['Answer', ({ answer, exit }) => `${statementText(answer.sentence)} (exit ${exit.code})`],
  ['Version', ({ run }) => `${run.tool.name} ${run.tool.version}, tables ${run.specDigest.slice(0, 12)}`],
];

function runsSection({ before, after, circumstances }: Comparison): Section {
  const facts = linesTable(
    FACTS.map(([name, of]) => ({ name, before: of(before), after: of(after) })),
    'Facts of both runs',
  );
  const alike = circumstances.length === 0 ? 'Both runs were made in the same way.' : 'Not alike in the two runs:';
  return section('runs', 'The two runs', facts, alike, ...listOf(circumstances));
}

const linesTable = (lines: SearchComparison['lines'], caption?: string) =>
  table(caption, lines, [
    ['What', ({ name }) => name],
    ['Before', ({ before }) => before],
    ['After', ({ after }) => after],
  ]);

const searchBlocks = (search: SearchComparison) => [
  `${loadCellName(search)}: ${search.verdict}${because(search.reasons)}`,
  linesTable(search.lines),
];

function fewRunsWords({ runs }: LoadComparison): string {
  if (runs.every((count) => count >= FEWEST_RUNS)) {
    return `${runs[0]} runs before, ${runs[1]} after; the spread between them counts`;
  }
  return (
    `${counted(runs[0], 'run')} before and ${counted(runs[1], 'run')} after cannot show how much runs of the same target differ by chance, so no latency is called worse; ` +
    `name ${FEWEST_RUNS} on each side with --also-before and --also-after`
  );
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
const CAPTION =
  'Milliseconds. The interval of a difference holds in 95 of 100 for all rows together. The smallest detectable change is half its width.';

function cellBlocks(cell: CellComparison): readonly (Block | string)[] {
  const { before, after, differences } = cell;
  // A comparison of two verdicts that differ names both as its reason.
  const both = before === after ? `; ${verdictWord(before)} both times` : '';
  const verdict =
    cell.verdict === 'differs' ? `differs between these ${cell.runs === 1 ? 'two ' : ''}runs` : cell.verdict;
  const told = [`${loadCellName(cell)}: ${verdict}${because(cell.reasons)}${both}`, linesTable(cell.lines)];
  if (differences.length === 0) return told;
  return [
    ...told,
    table(CAPTION, differences, [
      ['Latency', ({ latency, percentile }) => `${latency} ${percentile}`],
      ['Before', ({ beforeMs }) => ms(beforeMs)],
      ['After', ({ afterMs }) => ms(afterMs)],
      ['Difference', ({ differenceMs }) => (differenceMs === null ? '—' : signed(differenceMs))],
      ['Interval', ({ intervalMs }) => intervalMs?.map(signed).join(' to ') ?? '—'],
      ['Smallest detectable', ({ smallestShownMs }) => smallestShownMs?.toFixed(2) ?? '—'],
      ['Verdict', ({ decides, verdict }) => (decides ? verdict : 'too few samples to decide')],
    ]),
  ];
}

const KINDS = [
  ['newlyFailing', 'newly failing'],
  ['changed', 'failing in another way'],
  ['failingUntested', 'failing that the first run did not test, or tested less'],
  ['newRequirements', 'failing for new requirements alone'],
  ['newlyNotProven', 'newly not proven'],
  ['fixed', 'fixed'],
  ['stillFailing', 'still failing'],
  ['added', 'only in the second run'],
  ['removed', 'only in the first run'],
] as const satisfies readonly (readonly [keyof ConformanceComparison, string])[];

function changeBlocks(title: string, changes: readonly Change[]): readonly Block[] {
  if (changes.length === 0) return [];
  const word = (verdict: Change['before']) => (verdict === null ? 'not there' : verdictWord(verdict));
  const was = ({ before, changed }: Change) => changed?.[0] ?? word(before);
  const is = ({ after, changed }: Change) => changed?.[1] ?? word(after);
  const again = ({ flaky }: Change) => (flaky === true ? 'flaky: passed when tried again' : '');
  const alike = groupBy(changes, (one) => [one.cause ?? one.title, was(one), is(one), again(one)].join('|'));
  const rows = [...alike.values()].map(([first, ...others]) => ({ first: first as Change, more: others.length }));
  type Row = (typeof rows)[number];
  const more = rows.length > LISTED ? `, the first ${LISTED} rows; --json has all` : '';
  return [
    table(`${title}: ${changes.length}${more}`, rows.slice(0, LISTED), [
      ['Results', (row) => `${row.first.key.replaceAll('|', ' ')}${row.more === 0 ? '' : ` and ${row.more} more`}`],
      ['Before', ({ first }) => was(first)],
      ['After', ({ first }) => is(first)],
      ...(changes.some(({ flaky }) => flaky) ? [['Again', (row: Row) => again(row.first)] as const] : []),
      ['Cause or check', ({ first }) => first.cause ?? first.title],
    ]),
  ];
}

export function conformanceSection(comparison: ConformanceComparison): Section {
  const { compared, drift } = comparison;
  const there = KINDS.filter(([kind]) => comparison[kind].length > 0);
  const counts = there.map(([kind, title]) => `${comparison[kind].length} ${title}`).join('; ') || 'all alike';
  const drifted = drift.map(
    ({ question, before, after }) => `${question}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  );
  return section(
    ...(['conformance', 'Conformance', `${counted(compared, 'result')} in both runs: ${counts}.`] as const),
    ...KINDS.flatMap(([kind, title]) => changeBlocks(title, comparison[kind])),
    ...(drift.length === 0 ? [] : ['Where the specification is silent, the target answers differently:']),
    ...listOf(drifted),
  );
}

function loadSection(comparison: LoadComparison): Section {
  const { cells, onlyBefore, onlyAfter } = comparison;
  const only = (which: string, names: readonly string[]) => names.map((name) => `${name}: only in the ${which} run`);
  const alone = [...only('first', onlyBefore), ...only('second', onlyAfter)];
  return section('load', 'Load', ...cells.flatMap(cellBlocks), ...listOf(alone), `${fewRunsWords(comparison)}.`);
}

/** What a comparison shows, for the terminal and the page alike; every text is inert. */
export function comparisonSections(comparison: Comparison): readonly Section[] {
  const { conformance, load, capacity } = comparison;
  const sections = [
    runsSection(comparison),
    ...(capacity === null ? [] : [section('capacity', 'Capacity', ...capacity.flatMap(searchBlocks))]),
    ...(load === null ? [] : [loadSection(load)]),
    ...(conformance === null ? [] : [conformanceSection(conformance)]),
  ];
  return inert(sections, LONGEST);
}
