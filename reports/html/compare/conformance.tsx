import type { Change, ConformanceComparison } from '../../compare/conformance.ts';
import { Mark } from '../page/mark.tsx';
import { Lines, Section, Table } from '../page/parts.tsx';

/** Results of each kind that are listed; the rest are counted. */
const LISTED = 200;

const verdict = (of: Change['before']) => (of === null ? 'not there' : <Mark verdict={of} />);

function Changes({ title, changes, open }: { title: string; changes: readonly Change[]; open: boolean }) {
  if (changes.length === 0) return null;
  const more = changes.length - LISTED;
  return (
    <details class={open ? 'card shown' : 'card'} open={open}>
      <summary>
        <b>
          {title}: {changes.length}
        </b>
      </summary>
      <Table
        label={title}
        rows={changes.slice(0, LISTED)}
        columns={[
          ['Before', ({ before }) => verdict(before)],
          ['After', ({ after }) => verdict(after)],
          [
            'Result',
            ({ key, flaky }) =>
              `${key.replaceAll('|', ' ')}${flaky === true ? ' (flaky: passed when tried again)' : ''}`,
          ],
          ['Check', (change) => change.title],
        ]}
      />
      {more > 0 && <p class="soft">{more} more are in --json.</p>}
    </details>
  );
}

/** Kinds of changes, what got worse first, and whether a reader has to see all of them. */
const KINDS = [
  ['newlyFailing', 'Newly failing', true],
  ['newRequirements', 'Fail for their new requirements alone', true],
  ['newlyNotProven', 'Newly not proven', true],
  ['fixed', 'Fixed', true],
  ['stillFailing', 'Still failing', false],
  ['added', 'Only in the second run', false],
  ['removed', 'Only in the first run', false],
] as const;

/** What became of the results: what got worse first. */
export function ConformancePart({ comparison }: { comparison: ConformanceComparison }) {
  const { compared, drift } = comparison;
  return (
    <Section id="conformance" title="Conformance">
      <p class="lead">{compared === 1 ? '1 result is' : `${compared} results are`} in both runs.</p>
      {KINDS.every(([kind]) => comparison[kind].length === 0) && <p>No result changed, and none failed in both.</p>}
      {KINDS.map(([kind, title, open]) => (
        <Changes title={title} changes={comparison[kind]} open={open} />
      ))}
      {drift.length > 0 && <h3>Where the specification is silent, the target answers differently</h3>}
      <Lines
        lines={drift.map(
          ({ question, before, after }) => `${question}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
        )}
      />
    </Section>
  );
}
