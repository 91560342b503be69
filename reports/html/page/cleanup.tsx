import { fingerprintWords, leftAsFound } from '../../../lib/judge/left-as-found.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { leftOf } from '../../../lib/records/run.ts';

type Left = Pick<Report['cleanup']['residue'][number], 'family' | 'id' | 'name' | 'command'> & {
  why?: string | undefined;
};

/** More rows than this would hide the results behind them. */
const SHOWN_OPEN = 5;

function LeftTable({ caption, left, why }: { caption: string; left: readonly Left[]; why: boolean }) {
  if (left.length === 0) return '';
  return (
    <details class="card" open={left.length <= SHOWN_OPEN}>
      <summary>
        {caption} ({left.length})
      </summary>
      <div class="wide" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Family</th>
              <th scope="col">Id</th>
              <th scope="col">Name</th>
              {why ? <th scope="col">Reason</th> : ''}
              <th scope="col">Command</th>
            </tr>
          </thead>
          <tbody>
            {left.slice(0, 500).map((record) => (
              <tr class="bad">
                <th scope="row">{record.family}</th>
                <td>
                  <code>{record.id}</code>
                </td>
                <td>{record.name ?? ''}</td>
                {why ? <td>{record.why ?? ''}</td> : ''}
                <td>
                  <code>{record.command}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Whether the target was left as it was found, always in sight. */
export function Cleanup({ report }: { report: Report }) {
  const { created, removed, residue, leftAlone, fingerprint, source } = report.cleanup;
  const { proven, words } = leftAsFound(report.cleanup);
  return (
    <section aria-labelledby="cleanup">
      <h2 id="cleanup">
        Left as found: <span class={residue.length > 0 ? 't-bad' : proven ? 't-good' : 't-open'}>{words}</span>
      </h2>
      <p class="proof">
        <span>created {count(created)}</span>
        <span>removed {count(removed)}</span>
        <span>left {count(leftOf(residue))}</span>
        <span>foreign records: {fingerprintWords(fingerprint)}</span>
        {source === 'journal' ? <span>counted from the journal</span> : ''}
      </p>
      <LeftTable
        caption="Left on the target, with the command that removes it"
        left={residue}
        why={residue.some(({ why }) => why !== undefined)}
      />
      <LeftTable
        caption="Not ours, left alone: nothing was sent to these records; the command reads them"
        left={leftAlone ?? []}
        why={true}
      />
    </section>
  );
}
