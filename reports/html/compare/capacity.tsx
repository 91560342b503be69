import type { SearchComparison } from '../../compare/capacity.ts';
import { Head } from '../page/head.tsx';

/** Two statements of a capacity, line by line. */
export function CapacityPart({ searches }: { searches: readonly SearchComparison[] }) {
  return (
    <section aria-labelledby="capacity">
      <h2 id="capacity">Capacity</h2>
      {searches.map(({ profile, operation, verdict, reasons, lines }) => (
        <>
          <h3>
            {profile} {operation}: {verdict}
          </h3>
          <ul class="why">
            {reasons.map((reason) => (
              <li>{reason}</li>
            ))}
          </ul>
          <section class="wide plain" tabindex={0} aria-label={`Capacity of ${profile} ${operation}`}>
            <table>
              <Head columns={['What', 'Before', 'After']} />
              <tbody>
                {lines.map(({ name, before, after }) => (
                  <tr>
                    <th scope="row">{name}</th>
                    <td>{before}</td>
                    <td>{after}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      ))}
    </section>
  );
}
