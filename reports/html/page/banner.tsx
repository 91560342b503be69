import { count, duration, instant } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import { commandLine } from '../../model/command-line.ts';
import { Said } from './said.tsx';

/** Said where addresses and names are not those of the target. */
const REDACTED =
  'To share: MAC addresses, IP addresses and host names are pseudonyms, the same for the same value on this page';

/** Reasons on the first screen; the others are one click away. */
const MOST_REASONS = 3;

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What the run was, at the foot of the page. */
export function RunFacts({ report }: { report: Report }) {
  const { run, end } = report;
  const requests = end === null ? null : Object.values(end.requests).reduce((sum, number) => sum + number, 0);
  return (
    <section aria-labelledby="run">
      <h2 id="run">The run</h2>
      <dl class="facts">
        <Fact name="Target" value={run.target.embedded ? 'the embedded reference deployment' : run.target.baseUrl} />
        <Fact name="Run" value={run.runId} />
        <Fact name="Started" value={instant(run.startedAt)} />
        <Fact name="Took" value={end === null ? 'cut before its end' : duration(end.durationMs)} />
        <Fact name="Mode" value={run.mode} />
        <Fact name="Seed" value={String(run.seed)} />
        <Fact name="Requests (excluding load)" value={requests === null ? 'not known' : count(requests)} />
        <Fact name="Version" value={`${run.tool.name} ${run.tool.version}, tables ${run.specDigest.slice(0, 12)}`} />
      </dl>
    </section>
  );
}

/** Title and author, as the operator gave them. */
function TitleLine({ report: { run } }: { report: Report }) {
  const { title, author } = runOptions(run);
  const words = [...(title === undefined ? [] : [title]), ...(author === undefined ? [] : [`by ${author}`])];
  return words.length === 0 ? null : <p class="title">{words.join(' · ')}</p>;
}

function Reasons({ report }: { report: Report }) {
  const items = report.answer.reasons.map((reason) => (
    <li>
      <Said statement={reason} report={report} />
      {reason.code === 0 ? '' : <span class="soft"> (exit {reason.code})</span>}
    </li>
  ));
  if (items.length === 0) return null;
  const more = items.slice(MOST_REASONS);
  return (
    <>
      <ul class="why">{items.slice(0, MOST_REASONS)}</ul>
      {more.length === 0 ? (
        ''
      ) : (
        <details>
          <summary>{more.length} more</summary>
          <ul class="why">{more}</ul>
        </details>
      )}
    </>
  );
}

/** What the run leaves open of what it was asked. */
function NotShown({ report }: { report: Report }) {
  const { notShown } = report.answer;
  if (notShown.length === 0) return null;
  return (
    <details>
      <summary>Not shown by this run: {notShown.length}</summary>
      <ul class="why">
        {notShown.map((statement) => (
          <li>
            <Said statement={statement} report={report} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A step that does not open the page that shows it. */
const leadsOn = ({ args: [command, what] }: Report['answer']['next'][number]): boolean =>
  command !== 'report' || what !== 'open';

/** The first screen: what was asked, the answer in a sentence, why, and what to do next. */
export function Banner({ report }: { report: Report }) {
  const { run, answer, exit } = report;
  return (
    <header class={`top ${answer.tone}`}>
      <div class="in">
        <p class="brand">
          ers-harness · Configuration Resource API · {run.target.embedded ? 'embedded deployment' : run.target.baseUrl}
        </p>
        <TitleLine report={report} />
        <p class="lead">{answer.asked}</p>
        <h1>
          <Said statement={answer.sentence} report={report} />
        </h1>
        {run.target.embedded ? (
          <p class="lead">
            The target is the embedded reference deployment: this shows that the harness works on this machine and says
            nothing about any other deployment.
          </p>
        ) : (
          ''
        )}
        {run.target.insecure ? <p class="stamp">Certificate of the target was not checked (--insecure)</p> : ''}
        {report.redaction === undefined ? '' : <p class="stamp">{REDACTED}</p>}
        {report.complete ? '' : <p class="stamp">Incomplete: records of this run are missing or cannot be read</p>}
        <Reasons report={report} />
        <NotShown report={report} />
        {answer.next.filter(leadsOn).map(({ text, args }) => (
          <p class="next">
            Next, {text}: <code>{commandLine(args, run.runId)}</code>
          </p>
        ))}
        <p class="soft">Exit code {exit.code}</p>
      </div>
    </header>
  );
}
