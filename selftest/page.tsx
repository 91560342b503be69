import type { SelftestScore } from '../lib/records/selftest.ts';
import { GateTable } from '../reports/html/conformance/suite-quality.tsx';
import { type Column, Section, Table } from '../reports/html/page/parts.tsx';
import { Shell } from '../reports/html/page/shell.tsx';
import { isKilled } from './defect-score.ts';

/** Rows under a caption, or that there are none. */
function Rows<Row>({
  caption,
  rows,
  columns,
}: {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  if (rows.length === 0) return <p class="soft">{caption}: none.</p>;
  return <Table caption={caption} rows={rows} columns={columns} />;
}

function Defects({ score }: { score: SelftestScore }) {
  return (
    <Section id="defects" title="Seeded defects">
      <Rows
        caption="Each defect with the checks that found it in every seed"
        rows={score.defects}
        columns={[
          ['Defect', ({ id }) => id, 'row'],
          ['What it does', ({ title }) => title],
          [
            'Outcome',
            (defect) => `${isKilled(defect) ? 'killed' : 'SURVIVES'}, ${defect.killedIn} of ${defect.seeds} seeds`,
          ],
          [
            'Found by',
            ({ right, rightKillers }) => (right ? rightKillers.join(', ') : 'not for a requirement that it violates'),
          ],
          ['Other requirements accused', ({ others }) => others.join(', ')],
        ]}
      />
      <Rows
        caption="Defects that one check alone kills"
        rows={score.onlyOne}
        columns={[
          ['Defect', ({ defect }) => defect, 'row'],
          ['Check', ({ check }) => check],
        ]}
      />
    </Section>
  );
}

function Others({ score }: { score: SelftestScore }) {
  return (
    <Section id="others" title="Deployments that conform, and targets that are none">
      <Rows
        caption="Deployments that conform: none may be accused"
        rows={score.allowed}
        columns={[
          ['Deployment', ({ key }) => key, 'row'],
          ['What it is', ({ title }) => title],
          ['Exit', ({ exit }) => exit],
          ['Accused of', ({ alarms }) => alarms.join('; ') || 'nothing'],
        ]}
      />
      <Rows
        caption="Targets that are not the service: nothing may pass"
        rows={score.nullTargets}
        columns={[
          ['Target', ({ id }) => id, 'row'],
          ['What it does', ({ title }) => title],
          ['Exit', ({ exit }) => exit],
          ['Expected', ({ expected }) => expected.join(' or ')],
          ['Vacuous passes', ({ vacuous }) => vacuous.join('; ') || 'none'],
        ]}
      />
      <Rows
        caption="Checks that accuse no defect and no null target"
        rows={score.idle}
        columns={[
          ['Check', ({ check }) => check, 'row'],
          ['Level', ({ level }) => level],
          ['Why it is there', ({ reason }) => reason ?? 'no reason given'],
        ]}
      />
    </Section>
  );
}

/** The score as one page that loads nothing and runs nothing. */
export function selftestPage(score: SelftestScore): string {
  const page = (
    <Shell
      title="How much to trust green"
      top={
        <header class={`top ${score.met ? 'good' : 'bad'}`}>
          <div class="in">
            <p class="brand">ers-harness selftest, seed {score.seed}</p>
            <h1>How much to trust green: {score.met ? 'the gate is met' : 'the gate is not met'}</h1>
            <p class="lead">
              The whole suite was run {score.cost.runs} times, against deployments with one seeded defect each, against
              deployments that differ in what the specification leaves open, and against targets that are no service at
              all.
            </p>
          </div>
        </header>
      }
      footer="This page loads nothing, sends nothing and runs no script."
    >
      <Section id="gate" title="Gate">
        <GateTable gate={score.gate} />
      </Section>
      <Defects score={score} />
      <Others score={score} />
    </Shell>
  );
  return `<!doctype html>\n${page.toString()}\n`;
}
