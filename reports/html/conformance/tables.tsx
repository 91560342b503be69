import { groupBy } from '../../../lib/group-by.ts';
import {
  changedName,
  entryName,
  isReasonMissing,
  knownMark,
  knownWords,
  resourceWord,
} from '../../../lib/judge/conformance/baseline/known.ts';
import { present } from '../../../lib/present.ts';
import { witnessWords } from '../../../lib/records/conformance.ts';
import type { Report, ResultReport } from '../../../lib/records/report.ts';
import type { Conformance, Verdict } from '../../../lib/records/vocabulary.ts';
import { count, excerpt, verdictWord } from '../../../lib/text.ts';
import { Mark, Section, Table } from '../page/parts.tsx';

const UNCLEAR = ['inconclusive', 'blocked', 'error'] as const;
const ORDER: readonly Verdict[] = ['fail', ...UNCLEAR, 'warn', 'pass', 'info', 'not-testable', 'not-applicable'];
/** The verdicts behind each word; what is unclear stands beside what failed. */
const WORDS = [...groupBy(ORDER, verdictWord)];

interface Row {
  /** Undefined for the row of all families. */
  readonly name?: string;
  readonly verdict?: Conformance;
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** The results by the word for them, in all and of each family; each number leads to its results. */
export function FamilyTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { families, counts, results } = report.conformance;
  const linked = ({ name }: Row, verdicts: readonly Verdict[], words: string) => (
    <a href={`#results=${verdicts.join(' ')}${name === undefined ? '' : `@${name}`}`}>{words}</a>
  );
  const number = (row: Row, verdicts: readonly Verdict[]) => {
    const sum = verdicts.reduce((total, verdict) => total + row.counts[verdict], 0);
    return sum === 0 ? '0' : linked(row, verdicts, count(sum));
  };
  return (
    <Section id="families" title="Results by family">
      <Table
        class="families"
        rows={[{ counts }, ...families] as readonly Row[]}
        columns={[
          ['Family', (row) => linked(row, [], row.name ?? 'all'), 'row'],
          [
            'Verdict',
            ({ name, verdict }) =>
              name && verdict && <Mark verdict={verdict} word={resourceWord({ name, verdict }, results)} />,
          ],
          ...WORDS.map(([word, verdicts]) => [word, (row: Row) => number(row, verdicts), 'figures'] as const),
        ]}
      />
    </Section>
  );
}

/** A form of a create that the target took, as a file for `--template`; nothing for other answers. */
function Template({ answer }: { answer: unknown }) {
  const template = typeof answer === 'object' && answer !== null && 'template' in answer ? answer.template : undefined;
  if (template === undefined) return null;
  return (
    <details>
      <summary>template: save it as a file for --template</summary>
      <pre>{JSON.stringify(template, null, 2)}</pre>
    </details>
  );
}

const answerText = (answer: unknown): string =>
  excerpt(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? 'not known'), 300);

/** What the target does where the specification is silent: facts, never verdicts. */
export function DialectTable({ report }: { report: Report }) {
  const facts = Object.entries(report.conformance?.dialect ?? {});
  if (facts.length === 0) return null;
  return (
    <Section
      id="dialect"
      title="How this deployment answers where the text is silent (dialect)"
      lead="Recorded, never judged."
    >
      <details class="card">
        <summary>All {facts.length} answers</summary>
        <Table
          rows={facts}
          columns={[
            ['Question', ([, { question }]) => question, 'row'],
            ['Answer', ([, { answer }]) => [<code>{answerText(answer)}</code>, <Template answer={answer} />]],
            ['Fact', ([id]) => id],
            ['Exchanges', ([, { evidence }]) => evidence.slice(0, 4).join(' ')],
          ]}
        />
      </details>
    </Section>
  );
}

const MEANINGS = {
  expected: 'fails as expected',
  stale: 'passes now; remove it',
  expired: 'still fails after its last day',
  changed: 'fails in another way',
  unused: 'not decided by this run',
} as const;

export function BaselineTable({ report }: { report: Report }) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return null;
  const { file, entries, unexpected, consequences, newRequirements = [] } = baseline;
  return (
    <Section
      id="baseline"
      title={`Expected failures (${entries.length})`}
      lead={`From ${file}. New failures, not expected by it: ${unexpected.length}. ${newRequirements.length === 0 ? '' : `Results of requirements that came after it: ${newRequirements.length}. `}Results that expected failures keep from being proven: ${consequences.length}.`}
    >
      <Table
        rows={entries}
        columns={[
          ['Outcome', ({ outcome }) => [<b>{outcome}</b>, `: ${MEANINGS[outcome]}`]],
          ['Expected', (entry) => (entry.outcome === 'changed' ? changedName(entry) : entryName(entry))],
          ['Reason', (entry) => (isReasonMissing(entry) ? <b>reason missing</b> : entry.reason)],
          ['Owner', ({ owner }) => owner ?? '—'],
          ['Link', ({ link }) => link ?? '—'],
          ['Expires', ({ expires }) => expires],
        ]}
      />
    </Section>
  );
}

function Filter({ families }: { families: readonly string[] }) {
  return (
    <div class="filter">
      <label>
        Words
        <input id="f-text" type="search" autocomplete="off" />
      </label>
      <label>
        Verdict
        <select id="f-verdict">
          <option value="">all</option>
          {WORDS.map(([word, verdicts]) => (
            <option value={verdicts.join(' ')}>{word}</option>
          ))}
        </select>
      </label>
      <label>
        Family
        <select id="f-family">
          <option value="">all</option>
          {families.map((family) => (
            <option value={family}>{family}</option>
          ))}
        </select>
      </label>
      <output id="f-count" aria-live="polite" />
    </div>
  );
}

/** What a check saw, or why it says what it says, after the words of the baseline. */
function seenWords(result: ResultReport): string {
  const { reason, needs, observed, observations, known } = result;
  const seen = reason ?? observed ?? (observations === undefined ? witnessWords(result) : JSON.stringify(observations));
  const listed = known === undefined || known.outcome === 'unexpected' ? '' : `${excerpt(knownWords(known), 200)}; `;
  return `${listed}${excerpt(seen, 200)}${needs === undefined ? '' : `; it needs ${excerpt(needs, 200)}`}`;
}

const marksOf = ({ known, flaky }: ResultReport): readonly string[] =>
  present(flaky && 'flaky', known && knownMark(known));

/** Every result in one line; the script filters it, and without the script it is simply whole. */
export function ResultsTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { results, families } = report.conformance;
  return (
    <Section id="results" title={`All results (${results.length})`}>
      <details class="card" id="all-results">
        <summary>Every result in one line</summary>
        <Filter families={families.map(({ name }) => name)} />
        <Table
          rows={results}
          data={({ verdict, family }) => ({ 'data-v': verdict, 'data-f': family })}
          columns={[
            [
              'Verdict',
              (result) => [
                <Mark verdict={result.verdict} />,
                marksOf(result).length > 0 && <small> {marksOf(result).join(', ')}</small>,
              ],
            ],
            ['Family', ({ family }) => family],
            ['Check', ({ checkId, variant }) => [checkId, variant].join(' ').trim()],
            ['Requirement', ({ requirement }) => requirement],
            ['Seen or reason', seenWords],
          ]}
        />
      </details>
    </Section>
  );
}
