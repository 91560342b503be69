import { fingerprintWords, leftAsFound, residueKinds } from '../../../lib/judge/left-as-found.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Section, Table } from './parts.tsx';

type Left = Pick<Report['cleanup']['residue'][number], 'family' | 'id' | 'name' | 'command'> & {
  why?: string | undefined;
};

/** More rows than this would hide the results behind them. */
const SHOWN_OPEN = 5;

function LeftTable({ caption, left }: { caption: string; left: readonly Left[] }) {
  if (left.length === 0) return null;
  const why = left.some((record) => record.why !== undefined);
  return (
    <details class="card" open={left.length <= SHOWN_OPEN}>
      <summary>
        {caption} ({left.length})
      </summary>
      <Table
        rows={left.slice(0, 500)}
        tone={() => 'bad'}
        columns={[
          ['Family', ({ family }) => family, 'row'],
          ['Id', ({ id }) => <code>{id}</code>],
          ['Name', ({ name }) => name ?? ''],
          ...(why ? [['Reason', (record: Left) => record.why ?? ''] as const] : []),
          ['Command', ({ command }) => <code>{command}</code>],
        ]}
      />
    </details>
  );
}

/** Whether the target was left as it was found, always in sight. */
export function Cleanup({ report }: { report: Report }) {
  const { created, removed, residue, leftAlone, fingerprint, source } = report.cleanup;
  const kinds = residueKinds(residue);
  const { proven, words } = leftAsFound(report.cleanup);
  return (
    <Section
      id="cleanup"
      title={[
        'Left as found: ',
        <span class={residue.length > 0 ? 't-bad' : proven ? 't-good' : 't-open'}>{words}</span>,
      ]}
    >
      <p class="proof">
        <span>created {count(created)}</span>
        <span>removed {count(removed)}</span>
        {kinds.length === 0 && <span>left 0</span>}
        {kinds.map(({ label, number }) => (
          <span>
            {label} {count(number)}
          </span>
        ))}
        <span>foreign records: {fingerprintWords({ fingerprint, residue })}</span>
        {source === 'journal' && <span>counted from the journal</span>}
      </p>
      {kinds.map(({ label, records }) => (
        <LeftTable caption={`${label}, with the command for it`} left={records} />
      ))}
      <LeftTable
        caption="Not ours, left alone: nothing was sent to these records; the command reads them"
        left={leftAlone ?? []}
      />
    </Section>
  );
}
