import { baselineUpkeep, isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { leftAsFound, residueWords } from '../../lib/judge/left-as-found.ts';
import { present } from '../../lib/present.ts';
import { commandLine, folderOf, statementText } from '../../lib/records/answer.ts';
import { observedText } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { duration, inert, short, some, verdictWord } from '../../lib/text.ts';
import { caseName } from '../model/cases.ts';
import { type Block, type Section, section, type Table, table } from '../model/document.ts';
import { findingsOf } from '../model/findings.ts';
import { leftLines, resultSections } from '../summary/sections.ts';
import { code, plain, sectionMarkdown, tableRows, words } from './markdown-blocks.ts';

/** GitHub drops a step summary above 1 MiB; far below that a summary is no summary any more. */
const LIMIT_BYTES = 200 * 1024;
const LISTED = 50;

function head(report: Report): string {
  const { run, end, answer } = report;
  const took = end === null ? 'cut before its end' : `took ${duration(end.durationMs)}`;
  const exits = (code: number) => (code === 0 ? '' : ` (exit ${code})`);
  return [
    `## ers-harness: ${plain(statementText(answer.sentence), 600)} (exit ${report.exit.code})`,
    plain(answer.asked),
    answer.reasons.map((reason) => `- ${plain(statementText(reason), 600)}${exits(reason.code)}`).join('\n'),
    ...answer.next.map(({ text, args }) => `Next, ${text}: ${code(commandLine(args, folderOf(run)))}`),
    `Target ${plain(run.target.baseUrl)}${run.target.insecure ? ' (certificate not checked)' : ''}${report.redaction === undefined ? '' : ' (addresses and host names are pseudonyms)'}, mode ${run.mode}, seed ${run.seed}, run ${plain(run.runId)}, ${took}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function findingTable({ conformance, catalogue }: Report): Table {
  const results = (conformance?.results ?? []).filter((result) => !isExpected(result));
  const findings = findingsOf({ results, causes: conformance?.causes ?? [] }, catalogue);
  return table(undefined, findings, [
    [
      'Verdict',
      ({ result: { verdict, flaky, known } }) =>
        present(
          verdictWord(verdict),
          flaky === true && 'flaky',
          known?.outcome === 'expired' && 'expectation expired',
        ).join(', '),
    ],
    ['Check', ({ result, alike }) => `${caseName(result)}${alike.length === 0 ? '' : ` and ${alike.length} more`}`],
    ['Families', ({ result, alike }) => [...new Set([result, ...alike].map(({ family }) => family))].join(', ')],
    ['Requirement', ({ result }) => result.requirement],
    ['Expected', ({ result }) => short(result.expected ?? result.title, 300)],
    ['Observed', ({ result }) => short(observedText(result) ?? result.reason ?? '', 300)],
  ]);
}

/** What the baseline expected, apart from what is new, and the entries that somebody has to see to. */
function baselineSection(report: Report): Section[] {
  const upkeep = baselineUpkeep(report);
  if (upkeep === undefined) return [];
  const known = (report.conformance?.results ?? []).filter(isExpected);
  const due = (['stale', 'expired', 'changed', 'unused'] as const).filter((outcome) => upkeep[outcome].length > 0);
  return [
    section(
      'baseline',
      `Expected failures: ${known.length}`,
      ...present<Block | string>(
        known.length > 0 &&
          table(`What the baseline expects`, known.slice(0, LISTED), [
            ['Verdict', ({ verdict }) => verdictWord(verdict)],
            ['Check', caseName],
            ['Family', ({ family }) => family],
            ['Expected because', (result) => (result.known === undefined ? '' : knownWords(result.known))],
          ]),
        known.length > LISTED && `${known.length - LISTED} more are in index.html and report.json.`,
        due.length > 0 && {
          kind: 'list' as const,
          lines: due.map((outcome) => [`${outcome}: ${some(upkeep[outcome], 20)}`]),
        },
      ),
    ),
  ];
}

function cleanupLines(report: Report): string {
  const { created, removed, residue } = report.cleanup;
  return [
    `Made on the target: ${created}, removed: ${removed}, ${residueWords(residue) || 'left: 0'}. Left as found: ${plain(leftAsFound(report.cleanup).words)}.`,
    ...leftLines(report).map((line) => `- ${words(line)}`),
  ].join('\n');
}

/** `summary.md`: the answers, what failed first, then the tables; never above 200 KiB. */
export function renderMarkdown(report: Report): string {
  const safe = inert(report);
  const around = [
    ...[...baselineSection(safe), ...resultSections(safe)].map((part) => sectionMarkdown(part, '###')),
    cleanupLines(safe),
  ];
  const fixed = [head(safe), ...around].join('\n\n');
  const room = LIMIT_BYTES - Buffer.byteLength(fixed) - 1_000;
  const lines = tableRows(findingTable(safe));
  let used = 0;
  const end = lines.findIndex((line) => {
    used += Buffer.byteLength(line) + 1;
    return used > room;
  });
  const shown = end < 0 ? lines : lines.slice(0, end);
  const more = lines.length - shown.length;
  const rest = more > 0 ? [`${more} more are in index.html and report.json.`] : [];
  const findings = lines.length === 2 ? [] : ['### Findings', shown.join('\n'), ...rest];
  return `${[head(safe), ...findings, ...around].join('\n\n')}\n`;
}
