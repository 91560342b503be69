import type { Child } from 'hono/jsx';
import { commandLine, folderOf } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import { machineWords, tookWords } from '../../../lib/records/run.ts';
import { count, instant } from '../../../lib/text.ts';
import { Said } from './document.tsx';
import { Lines, Section, Top } from './parts.tsx';

const REDACTED =
  'To share: MAC addresses, IP addresses and host names are pseudonyms, the same for the same value on this page';

const MOST_REASONS = 3;

export function RunFacts({ report }: { report: Report }) {
  const { run, end } = report;
  const requests = end === null ? null : Object.values(end.requests).reduce((sum, number) => sum + number, 0);
  const facts = {
    Target: run.target.embedded ? 'the embedded reference deployment' : run.target.baseUrl,
    Run: run.runId,
    Started: instant(run.startedAt),
    Took: tookWords(end),
    Mode: report.load === null || run.mode === 'full' ? run.mode : `${run.mode}; the load writes ANC`,
    Seed: String(run.seed),
    'Requests (excluding load)': requests === null ? 'not known' : count(requests),
    'Machine of the generator': machineWords(run),
    Version: `${run.tool.name} ${run.tool.version}, tables ${run.specDigest.slice(0, 12)}`,
  };
  return (
    <Section id="run" title="The run">
      <dl class="facts">
        {Object.entries(facts).map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Folded({ words, lines, open = false }: { words: string; lines: readonly Child[]; open?: boolean }) {
  if (lines.length === 0) return null;
  return (
    <details open={open}>
      <summary>{words}</summary>
      <Lines class="why" lines={lines} />
    </details>
  );
}

function Reasons({ report }: { report: Report }) {
  const { reasons, notShown } = report.answer;
  const lines = reasons.map((reason) => [
    <Said statement={reason} report={report} />,
    reason.code !== 0 && <span class="soft"> (exit {reason.code})</span>,
  ]);
  const open = notShown.map((statement) => <Said statement={statement} report={report} />);
  return (
    <>
      <Lines class="why" lines={lines.slice(0, MOST_REASONS)} />
      <Folded words={`${lines.length - MOST_REASONS} more`} lines={lines.slice(MOST_REASONS)} />
      <Folded words="Not shown by this run" lines={open} open />
    </>
  );
}

/** A step that does not open the page that shows it. */
const leadsOn = ({ args: [command, what] }: Report['answer']['next'][number]): boolean =>
  command !== 'report' || what !== 'open';

export function Banner({ report }: { report: Report }) {
  const { run, answer, exit } = report;
  return (
    <Top
      tone={answer.tone}
      brand={`ers-harness · Configuration Resource API · ${run.target.embedded ? 'embedded deployment' : run.target.baseUrl}`}
    >
      <p class="lead">{answer.asked}</p>
      <h1>
        <Said statement={answer.sentence} report={report} />
      </h1>
      {run.target.embedded && (
        <p class="lead">
          The target is the embedded reference deployment: this shows that the harness works on this machine and says
          nothing about any other deployment.
        </p>
      )}
      {run.target.insecure && <p class="stamp">Certificate of the target was not checked (--insecure)</p>}
      {report.redaction && <p class="stamp">{REDACTED}</p>}
      {!report.complete && <p class="stamp">Incomplete: records of this run are missing or cannot be read</p>}
      <Reasons report={report} />
      {answer.next.filter(leadsOn).map(({ text, args }) => (
        <p class="next">
          Next, {text}: <code>{commandLine(args, folderOf(run))}</code>
        </p>
      ))}
      <p class="soft">Exit code {exit.code}</p>
    </Top>
  );
}
