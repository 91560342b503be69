import { raw } from 'hono/html';
import type { SelftestScore } from '../lib/records/selftest.ts';
import { GateTable } from '../reports/html/conformance/suite-quality.tsx';
import { STYLE } from '../reports/html/page/style.ts';
import { isKilled } from './defect-score.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function Table({
  caption,
  titles,
  rows,
}: {
  caption: string;
  titles: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  if (rows.length === 0) return <p class="soft">{caption}: none.</p>;
  return (
    <div class="wide">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {titles.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Defects({ score }: { score: SelftestScore }) {
  const rows = score.defects.map((defect) => [
    defect.id,
    defect.title,
    `${isKilled(defect) ? 'killed' : 'SURVIVES'}, ${defect.killedIn} of ${defect.seeds} seeds`,
    defect.right ? defect.rightKillers.join(', ') : 'not for a requirement that it violates',
    defect.others.join(', '),
  ]);
  return (
    <section aria-labelledby="defects">
      <h2 id="defects">Seeded defects</h2>
      <Table
        caption="Each defect with the checks that found it in every seed"
        titles={['Defect', 'What it does', 'Outcome', 'Found by', 'Other requirements accused']}
        rows={rows}
      />
      <Table
        caption="Defects that one check alone kills"
        titles={['Defect', 'Check']}
        rows={score.onlyOne.map(({ defect, check }) => [defect, check])}
      />
    </section>
  );
}

function Others({ score }: { score: SelftestScore }) {
  return (
    <section aria-labelledby="others">
      <h2 id="others">Deployments that conform, and targets that are none</h2>
      <Table
        caption="Deployments that conform: none may be accused"
        titles={['Deployment', 'What it is', 'Exit', 'Accused of']}
        rows={score.allowed.map(({ key, title, exit, alarms }) => [
          key,
          title,
          String(exit),
          alarms.join('; ') || 'nothing',
        ])}
      />
      <Table
        caption="Targets that are not the service: nothing may pass"
        titles={['Target', 'What it does', 'Exit', 'Expected', 'Vacuous passes']}
        rows={score.nullTargets.map(({ id, title, exit, expected, vacuous }) => [
          id,
          title,
          String(exit),
          expected.join(' or '),
          vacuous.join('; ') || 'none',
        ])}
      />
      <Table
        caption="Checks that accuse no defect and no null target"
        titles={['Check', 'Level', 'Why it is there']}
        rows={score.idle.map(({ check, level, reason }) => [check, level, reason ?? 'no reason given'])}
      />
    </section>
  );
}

function Page({ score }: { score: SelftestScore }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>How much to trust green</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
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
        <main class="in">
          <section aria-labelledby="gate">
            <h2 id="gate">Gate</h2>
            <GateTable gate={score.gate} />
          </section>
          <Defects score={score} />
          <Others score={score} />
        </main>
      </body>
    </html>
  );
}

/** The score as one page that loads nothing and runs nothing. */
export function selftestPage(score: SelftestScore): string {
  return `<!doctype html>\n${(<Page score={score} />).toString()}\n`;
}
