import type { Change, ConformanceComparison } from '../../compare/conformance.ts';
import { Head } from '../page/head.tsx';
import { Mark } from '../page/mark.tsx';

/** Results of each kind that are listed; the rest are counted. */
const LISTED = 200;

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
      <section class="wide plain" tabindex={0} aria-label={title}>
        <table>
          <Head columns={['Before', 'After', 'Result', 'Check']} />
          <tbody>
            {changes.slice(0, LISTED).map(({ key, title: words, before, after, flaky }) => (
              <tr>
                <td>{before === null ? 'not there' : <Mark verdict={before} />}</td>
                <td>{after === null ? 'not there' : <Mark verdict={after} />}</td>
                <td>
                  {key.replaceAll('|', ' ')}
                  {flaky === true ? ' (flaky: passed when tried again)' : ''}
                </td>
                <td>{words}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 ? <p class="soft">{more} more are in --json.</p> : ''}
    </details>
  );
}

/** What became of the results: what got worse first. */
export function ConformancePart({ comparison }: { comparison: ConformanceComparison }) {
  const { compared, newlyFailing, newRequirements, newlyNotProven, fixed, stillFailing, added, removed, drift } =
    comparison;
  const nothing = [newlyFailing, newRequirements, newlyNotProven, fixed, stillFailing, added, removed].every(
    ({ length }) => length === 0,
  );
  return (
    <section aria-labelledby="conformance">
      <h2 id="conformance">Conformance</h2>
      <p class="lead">{compared === 1 ? '1 result is' : `${compared} results are`} in both runs.</p>
      {nothing ? <p>No result changed, and none failed in both.</p> : ''}
      <Changes title="Newly failing" changes={newlyFailing} open />
      <Changes title="Fail for their new requirements alone" changes={newRequirements} open />
      <Changes title="Newly not proven" changes={newlyNotProven} open />
      <Changes title="Fixed" changes={fixed} open />
      <Changes title="Still failing" changes={stillFailing} open={false} />
      <Changes title="Only in the second run" changes={added} open={false} />
      <Changes title="Only in the first run" changes={removed} open={false} />
      {drift.length === 0 ? (
        ''
      ) : (
        <>
          <h3>Where the specification is silent, the target answers differently</h3>
          <ul>
            {drift.map(({ question, before, after }) => (
              <li>
                {question}: {JSON.stringify(before)} → {JSON.stringify(after)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
