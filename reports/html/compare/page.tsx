import { duration, instant } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import { type Comparison, OUTCOME_EXIT, outcomeWords } from '../../compare/comparison.ts';
import { Sprite } from '../page/mark.tsx';
import { Lines, Section, Table } from '../page/parts.tsx';
import { Shell } from '../page/shell.tsx';
import { CapacityPart } from './capacity.tsx';
import { ConformancePart } from './conformance.tsx';
import { LoadPart, type SideCells } from './load.tsx';

const TONES = {
  worse: 'bad',
  'not comparable': 'open',
  'partly compared': 'open',
  differs: 'open',
  'not worse': 'good',
} as const;

const targetOf = ({ run: { target } }: Report) => (target.embedded ? 'embedded deployment' : target.baseUrl);

const FACTS: readonly (readonly [string, (report: Report) => string])[] = [
  ['Run', ({ run }) => run.runId],
  ['Started', ({ run }) => instant(run.startedAt)],
  ['Took', ({ end }) => (end === null ? 'cut before its end' : duration(end.durationMs))],
  ['Target', targetOf],
  ['Title', ({ run }) => runOptions(run).title ?? '—'],
  ['Verdict', ({ verdict, exit }) => `${verdict} (exit ${exit.code})`],
  ['Version', ({ run }) => `${run.tool.name} ${run.tool.version}, tables ${run.specDigest.slice(0, 12)}`],
];

function Runs({ comparison: { before, after, circumstances } }: { comparison: Comparison }) {
  return (
    <Section id="runs" title="The two runs">
      <Table
        label="Facts of both runs"
        rows={FACTS}
        columns={[
          ['What', ([name]) => name, 'row'],
          ['Before', ([, of]) => of(before)],
          ['After', ([, of]) => of(after)],
        ]}
      />
      {circumstances.length === 0 ? <p>Both runs were made in the same way.</p> : <h3>Not alike in the two runs</h3>}
      <Lines class="why" lines={circumstances} />
    </Section>
  );
}

/** Two runs on one page. Every text must have been made inert before. */
export function ComparisonPage(props: { comparison: Comparison; before: SideCells; after: SideCells }) {
  const { comparison, before, after } = props;
  const { outcome, reasons, conformance, load, capacity } = comparison;
  return (
    <Shell
      title={`${outcomeWords(comparison)} · ${comparison.before.run.runId} and ${comparison.after.run.runId}`}
      top={
        <>
          <Sprite />
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
        </>
      }
      footer="This page loads nothing, sends nothing and runs no script."
    >
      <Runs comparison={comparison} />
      {capacity && <CapacityPart searches={capacity} />}
      {load && <LoadPart comparison={load} before={before} after={after} />}
      {conformance && <ConformancePart comparison={conformance} />}
    </Shell>
  );
}
