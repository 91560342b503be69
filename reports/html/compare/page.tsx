import { duration, instant } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import { type Comparison, OUTCOME_EXIT, outcomeWords } from '../../compare/comparison.ts';
import { Sprite } from '../page/mark.tsx';
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
    <section aria-labelledby="runs">
      <h2 id="runs">The two runs</h2>
      <section class="wide plain" tabindex={0} aria-label="Facts of both runs">
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {FACTS.map(([name, of]) => (
              <tr>
                <th scope="row">{name}</th>
                <td>{of(before)}</td>
                <td>{of(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {circumstances.length === 0 ? (
        <p>Both runs were made in the same way.</p>
      ) : (
        <>
          <h3>Not alike in the two runs</h3>
          <ul class="why">
            {circumstances.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </>
      )}
    </section>
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
              <ul class="why">
                {reasons.slice(0, 20).map((reason) => (
                  <li>{reason}</li>
                ))}
                {reasons.length > 20 ? <li>and {reasons.length - 20} more</li> : ''}
              </ul>
              <p class="lead">Exit code {OUTCOME_EXIT[outcome]}</p>
            </div>
          </header>
        </>
      }
      footer="This page loads nothing, sends nothing and runs no script."
    >
      <Runs comparison={comparison} />
      {capacity === null ? '' : <CapacityPart searches={capacity} />}
      {load === null ? '' : <LoadPart comparison={load} before={before} after={after} />}
      {conformance === null ? '' : <ConformancePart comparison={conformance} />}
    </Shell>
  );
}
