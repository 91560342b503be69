import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';

function fingerprintWords(fingerprint: Report['cleanup']['fingerprint']): string {
  if (fingerprint === undefined) return 'not compared in this run';
  return fingerprint.equal ? 'unchanged, by fingerprint' : 'changed while the run was on (others may have written)';
}

/** Whether the target was left as it was found, always in sight. */
export function Cleanup({ report }: { report: Report }) {
  const { source, created, removed, residue, fingerprint } = report.cleanup;
  const clean = residue.length === 0 && source === 'end';
  const word = residue.length > 0 ? 'NO' : clean ? 'YES' : 'not known: the run was cut';
  return (
    <section aria-labelledby="cleanup">
      <h2 id="cleanup">
        Left as found: <span class={residue.length > 0 ? 't-bad' : clean ? 't-good' : 't-open'}>{word}</span>
      </h2>
      <p class="proof">
        <span>created {count(created)}</span>
        <span>removed {count(removed)}</span>
        <span>left {count(residue.length)}</span>
        <span>foreign records: {fingerprintWords(fingerprint)}</span>
        {source === 'journal' ? <span>counted from the journal</span> : ''}
      </p>
      {residue.length === 0 ? (
        ''
      ) : (
        <div class="wide">
          <table>
            <caption>Left on the target, with the command that removes it</caption>
            <thead>
              <tr>
                <th scope="col">Family</th>
                <th scope="col">Id</th>
                <th scope="col">Name</th>
                <th scope="col">Command</th>
              </tr>
            </thead>
            <tbody>
              {residue.slice(0, 500).map(({ family, id, name, command }) => (
                <tr class="bad">
                  <th scope="row">{family}</th>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td>{name ?? ''}</td>
                  <td>
                    <code>{command}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
