import { notProven } from '../../../lib/judge/conformance/rollup.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { Mark } from '../page/mark.tsx';

function Tile({ number, words, href, mark }: { number: number; words: string; href: string; mark?: Verdict }) {
  return (
    <li>
      <a href={href}>
        <b>{count(number)}</b>
        {mark === undefined ? <small>{words}</small> : <Mark verdict={mark} />}
      </a>
    </li>
  );
}

function Cells({ words, part }: { words: string; part: { exercised: number; total: number; untestable: number } }) {
  return (
    <li>
      <a href="#coverage">
        <b>
          {part.exercised} / {part.total - part.untestable}
        </b>
        <small>
          {words} really tested{part.untestable === 0 ? '' : `, ${part.untestable} not testable`}
        </small>
      </a>
    </li>
  );
}

const ORDER: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'blocked',
  'warn',
  'pass',
  'info',
  'not-testable',
  'not-applicable',
];

/** The counts, each a link to its results; what is not proven stands beside what failed. */
export function Counts({ report }: { report: Report }) {
  const part = report.conformance;
  if (part === null) return null;
  const { counts, coverage } = part;
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">Results at a glance</h2>
      <ul class="strip">
        <li class="first">
          <a href="#results=inconclusive blocked error">
            <b class={notProven(counts) > 0 ? 't-open' : ''}>{count(notProven(counts))}</b>
            <small>unclear, with the reason</small>
          </a>
        </li>
        {ORDER.map((verdict) => (
          <Tile number={counts[verdict]} words={verdict} href={`#results=${verdict}`} mark={verdict} />
        ))}
        <Cells words="operations" part={coverage.operations} />
        <Cells words="filter cells" part={coverage.filterCells} />
        <Cells words="sort cells" part={coverage.sortCells} />
      </ul>
    </section>
  );
}
