import type { SearchComparison } from '../../compare/capacity.ts';
import { Lines, Section, Table } from '../page/parts.tsx';

/** Two statements of a capacity, line by line. */
export function CapacityPart({ searches }: { searches: readonly SearchComparison[] }) {
  return (
    <Section id="capacity" title="Capacity">
      {searches.map(({ profile, operation, verdict, reasons, lines }) => (
        <>
          <h3>
            {profile} {operation}: {verdict}
          </h3>
          <Lines class="why" lines={reasons} />
          <Table
            label={`Capacity of ${profile} ${operation}`}
            rows={lines}
            columns={[
              ['What', ({ name }) => name, 'row'],
              ['Before', ({ before }) => before],
              ['After', ({ after }) => after],
            ]}
          />
        </>
      ))}
    </Section>
  );
}
