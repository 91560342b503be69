import type { Report } from '../../../lib/records/report.ts';
import type { GateRow, GeneratedQuality, HeldOutQuality } from '../../../lib/records/selftest.ts';
import { rateText } from '../../../lib/stats/killed-rate.ts';
import { Section, Table } from '../page/parts.tsx';

/** The conditions of the selftest's gate with what came out. */
function GateTable({ gate }: { gate: readonly GateRow[] }) {
  return (
    <Table
      rows={gate}
      tone={({ met }) => (met ? '' : 'bad')}
      columns={[
        ['What was measured', ({ text }) => text, 'row'],
        ['Result', ({ got }) => got],
        ['Wanted', ({ wanted }) => wanted],
        ['Verdict', ({ met }) => (met ? 'met' : 'not met')],
      ]}
    />
  );
}

/** The second score: defects that nobody wrote down one by one. */
function Generated({ generated: { label, seeds, always, others } }: { generated: GeneratedQuality }) {
  return (
    <p class="small soft">
      A second score comes from generated defects: one mistake, one place, one trigger, drawn at random ({label}; seeds{' '}
      {seeds.join(', ')}). The suite alone found {rateText(always)} of those that always show, and {rateText(others)} of
      those that show only sometimes. Green means that no mistake was found, not that there is none.
    </p>
  );
}

/** The third score: defects of dimensions that no check was written with. */
function HeldOut({ heldOut: { label, seeds, found } }: { heldOut: HeldOutQuality }) {
  return (
    <p class="small soft">
      Of defects in dimensions that no check was written with ({label}; seeds {seeds.join(', ')}), the suite found{' '}
      {rateText(found)} for a requirement that they violate.
    </p>
  );
}

/** How well the suite of this run tells defects from variations; nothing where the run carries no score. */
export function SuiteQuality({ report }: { report: Report }) {
  const suite = report.catalogue.suite;
  if (suite === undefined || report.conformance === null) return null;
  const { survivors, onlyOne, generated, heldOut } = suite;
  return (
    <Section id="suite" title="How much to trust green">
      <details class="card">
        <summary>How the suite judged deployments with seeded defects</summary>
        <p class="soft">
          The published selftest of this version ran the suite against deployments with one seeded defect each, against
          deployments that differ in what the specification leaves open, and against targets that are no service at all.
          It says how the suite judges, not how this target behaves; <code>ers-harness selftest</code> measures it
          again.
        </p>
        <GateTable gate={suite.gate} />
        <p class="small soft">
          {survivors.length === 0 ? 'No seeded defect survives.' : `Surviving defects: ${survivors.join(', ')}.`}{' '}
          {onlyOne.length === 0
            ? 'Two or more checks find each of them.'
            : `Found by one check alone: ${onlyOne.join(', ')}.`}
        </p>
        {generated && <Generated generated={generated} />}
        {heldOut && <HeldOut heldOut={heldOut} />}
      </details>
    </Section>
  );
}
