import { count, duration, instant } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import { headline } from '../../model/headline.ts';
import { loadTiers, notProvenLines } from '../../model/limits.ts';
import { type Answer, capacityReportAnswer, conformanceAnswer, loadAnswer } from '../../model/questions.ts';

/** Said where addresses and names are not those of the target. */
const REDACTED =
  'To share: MAC addresses, IP addresses and host names are pseudonyms, the same for the same value on this page';

function AnswerCard({ question, answer, tone, evidence }: Answer) {
  return (
    <div class={`answer ${tone}`}>
      <h2>{question}</h2>
      <p class={`word t-${tone}`}>{answer}</p>
      <ul>
        {evidence.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Facts({ report }: { report: Report }) {
  const { run, end } = report;
  const requests = end === null ? null : Object.values(end.requests).reduce((sum, number) => sum + number, 0);
  return (
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
  );
}

/** Title and author, as the operator gave them. */
function TitleLine({ report: { run } }: { report: Report }) {
  const { title, author } = runOptions(run);
  const words = [...(title === undefined ? [] : [title]), ...(author === undefined ? [] : [`by ${author}`])];
  return words.length === 0 ? null : <p class="title">{words.join(' · ')}</p>;
}

/** Rate, length and tier of the load: `250/s for 10 s a cell: quick, not for sign-off`. */
function LoadTiers({ report }: { report: Report }) {
  const lines = loadTiers(report);
  return lines.length === 0 ? null : <p class="lead">{lines.join(' · ')}</p>;
}

/** What a reader must not take from the page. */
function NotProven({ report }: { report: Report }) {
  const lines = notProvenLines(report);
  if (lines.length === 0) return null;
  return (
    <div class="ends">
      <p class="lead">Not proven by this run:</p>
      <ul class="why">
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** The first screen: does it conform, does the rate hold, on what evidence, and why the run ends as it ends. */
export function Banner({ report }: { report: Report }) {
  const { text, tone } = headline(report);
  const { exit, run } = report;
  return (
    <header class={`top ${tone}`}>
      <div class="in">
        <p class="brand">
          ers-harness · Configuration Resource API · {run.target.embedded ? 'embedded deployment' : run.target.baseUrl}
        </p>
        <TitleLine report={report} />
        <h1>{text}</h1>
        <LoadTiers report={report} />
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
        <div class="answers">
          <AnswerCard {...conformanceAnswer(report)} />
          <AnswerCard
            {...(report.capacity === undefined ? loadAnswer(report) : capacityReportAnswer(report.capacity))}
          />
        </div>
        <NotProven report={report} />
        <div class="ends">
          <p class="lead">
            Exit code {exit.code}
            {exit.reasons.length === 0 ? ': everything that was asked for was proven.' : ', because:'}
          </p>
          {exit.reasons.length === 0 ? (
            ''
          ) : (
            <ul class="why">
              {exit.reasons.map((reason) => (
                <li>
                  {reason.text} <span class="soft">(exit {reason.code})</span>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Facts report={report} />
      </div>
    </header>
  );
}
