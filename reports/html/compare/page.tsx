import { type Comparison, OUTCOME_EXIT, outcomeWords } from '../../compare/comparison.ts';
import { comparisonSections } from '../../compare/document.ts';
import { Sections } from '../page/document.tsx';
import { Lines } from '../page/parts.tsx';
import { Shell } from '../page/shell.tsx';
import { LoadCharts, type SideCells } from './load.tsx';

const TONES = {
  worse: 'bad',
  'not comparable': 'open',
  'partly compared': 'open',
  differs: 'open',
  'not worse': 'good',
} as const;

/** Two runs on one page. Every text must have been made inert before. */
export function ComparisonPage(props: { comparison: Comparison; before: SideCells; after: SideCells }) {
  const { comparison, before, after } = props;
  const { outcome, reasons, load } = comparison;
  return (
    <Shell
      title={`${outcomeWords(comparison)} · ${comparison.before.run.runId} and ${comparison.after.run.runId}`}
      top={
        <header class={`top ${TONES[outcome]}`}>
          <div class="in">
            <p class="brand">
              ers-harness · comparison of {comparison.before.run.runId} with {comparison.after.run.runId}
            </p>
            <h1>{outcomeWords(comparison)}</h1>
            <Lines
              class="why"
              lines={[...reasons.slice(0, 20), ...(reasons.length > 20 ? [`and ${reasons.length - 20} more`] : [])]}
            />
            <p class="lead">Exit code {OUTCOME_EXIT[outcome]}</p>
          </div>
        </header>
      }
      footer="This page loads nothing, sends nothing and runs no script."
    >
      <Sections sections={comparisonSections(comparison)} />
      {load && <LoadCharts comparison={load} before={before} after={after} />}
    </Shell>
  );
}
