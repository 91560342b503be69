import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { groupBy } from '../../../lib/group-by.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { count, counted, millis, percent, rate, verdictWord } from '../../../lib/text.ts';
import { Strip } from '../../charts/timeline.tsx';
import type { EndedCell, LiveCell, LiveChecks, LiveRun } from '../../model/live.ts';
import { CAUSE_COLUMNS } from '../conformance/gaps.tsx';
import { BareTable, Lines, Mark, Sprite, Top } from '../page/parts.tsx';
import { pageText } from '../page/shell.tsx';

function Figure({ value, words }: { value: string; words: Child }) {
  return (
    <li>
      <span class="n">
        <b>{value}</b>
        {typeof words === 'string' ? <small>{words}</small> : words}
      </span>
    </li>
  );
}

function Bar({ done, of, words }: { done: number; of: number; words: string }) {
  return (
    <p class="bar">
      <progress value={Math.min(done, of)} max={of} aria-label={words} /> {words}
    </p>
  );
}

const time = (value: number | null) => (value === null ? '–' : millis(value));

function RunningCell({ cell }: { cell: LiveCell }) {
  const { name, targetPerSecond, connections, seconds, course } = cell;
  const now = course.at(-1);
  const end = Math.max(seconds, now?.second ?? 0);
  const points = (pick: (one: LiveCell['course'][number]) => number | null) =>
    course.flatMap((one): [number, number][] => {
      const value = pick(one);
      return value === null ? [] : [[one.second, value]];
    });
  return (
    <>
      <h2>{name}</h2>
      <Bar done={now?.second ?? 0} of={seconds} words={`${now?.second ?? 0} of ${Math.round(seconds)} s`} />
      <ul class="strip">
        <Figure value={`${rate(now?.startedPerSecond ?? 0)}/s`} words={`rate, of ${rate(targetPerSecond)}/s`} />
        <Figure value={time(now?.p50Ms ?? null)} words="p50 of the last second" />
        <Figure value={time(now?.p99Ms ?? null)} words="p99 of the last second" />
        <Figure value={count(now?.dropped ?? 0)} words="arrivals dropped" />
        <Figure value={count(now?.failed ?? 0)} words="failed" />
        <Figure
          value={now === undefined || now.inFlight === null ? '–' : count(now.inFlight)}
          words={`in flight, on ${count(connections)} connections`}
        />
      </ul>
      <div class="charts">
        <figure>
          <Strip
            series={{ name: 'rate', limit: targetPerSecond, points: points((one) => one.startedPerSecond) }}
            words={`arrivals started per second, ${rate(targetPerSecond)} asked for`}
            end={end}
          />
        </figure>
        <figure>
          <Strip series={{ name: 'p99, ms', points: points((one) => one.p99Ms) }} end={end} />
        </figure>
      </div>
      <p class="small soft">Service times of each second; the report counts from the intended start of each arrival.</p>
    </>
  );
}

const MOST_ROWS = 50;

function EndedCells({ cells }: { cells: readonly EndedCell[] }) {
  if (cells.length === 0) return null;
  return (
    <BareTable
      caption={`Ended, the newest first${cells.length > MOST_ROWS ? `; the last ${MOST_ROWS} of ${cells.length}` : ''}`}
      rows={cells.slice(-MOST_ROWS).reverse()}
      columns={[
        ['Cell', ({ name }) => name, 'row'],
        ['Verdict', ({ report, word }) => <Mark verdict={report.verdict} word={word} />],
        ['Rate', ({ report }) => `${rate(report.achievedPerSecond)}/s`, 'figures'],
        ['p50', ({ report }) => time(report.serviceTime.p50Ms), 'figures'],
        ['p99', ({ report }) => time(report.serviceTime.p99Ms), 'figures'],
        ['Dropped', ({ report }) => count(report.dropped), 'figures'],
        ['Failed', ({ report }) => count(report.failed), 'figures'],
        ['Reason', ({ reason }) => reason],
      ]}
    />
  );
}

function Checks({ checks }: { checks: LiveChecks }) {
  const { done, planned, share, counts, inWork } = checks;
  const verdicts = Object.entries(counts) as [Verdict, number][];
  return (
    <>
      <h2>Conformance</h2>
      <Bar
        done={share}
        of={1}
        words={`${count(done)} of ${counted(planned, 'result')}, ${percent(share)} of the work`}
      />
      <ul class="strip">
        {[...groupBy(verdicts, ([verdict]) => verdictWord(verdict)).values()].map((group) => (
          <Figure
            value={count(group.reduce((sum, [, number]) => sum + number, 0))}
            words={<Mark verdict={group[0]?.[0] ?? 'not-tested'} />}
          />
        ))}
      </ul>
      {inWork.length > 0 && <h3>In work</h3>}
      <Lines
        class="why"
        lines={inWork.map(({ family, check, sequences }) => [
          `${family}: `,
          <code>{check}</code>,
          sequences && `, ${sequences}`,
        ])}
      />
    </>
  );
}

const MOST_CAUSES = 20;

function CausesSoFar({ causes }: { causes: LiveChecks['causes'] }) {
  if (causes.length === 0) return null;
  return (
    <BareTable
      isStacked
      caption={`Causes so far: ${count(causes.length)}. A baseline and second tries are taken into account in the report`}
      rows={causes.slice(0, MOST_CAUSES)}
      tone={() => 'bad'}
      columns={[CAUSE_COLUMNS.cause, CAUSE_COLUMNS.families, CAUSE_COLUMNS.results]}
    />
  );
}

/** Puts each part where it belongs as it comes. It makes no markup of its own: the program has escaped every text. */
const SCRIPT = `
(function(){
var lost=document.getElementById('lost'),events=new EventSource('events');
events.onopen=function(){lost.hidden=true};
events.onmessage=function(event){var parts=JSON.parse(event.data);for(var id in parts){var at=document.getElementById(id);if(at)at.innerHTML=parts[id]}};
events.addEventListener('end',function(){events.close()});
events.onerror=function(){lost.hidden=false};
})();
`;
const STYLE = `.bar{display:flex;gap:6px 14px;flex-wrap:wrap;align-items:center}.bar progress{flex:1 1 220px;height:14px;accent-color:var(--s1)}
#cells td:last-child{min-width:34ch}main>section:not(:has(*)){display:none}main>section:has(>.wide:empty){display:none}`;

/** Texts of the page that change, by the id of the element that holds each. */
export type LiveParts = Readonly<Record<'top' | 'now' | 'checks' | 'causes' | 'cells' | 'told', string>>;

function Banner({ run: { command, target, doing, left, end } }: { run: LiveRun }) {
  return (
    <Top tone={end?.tone} brand={`ers-harness ${command} · ${target}`}>
      <h1>{end?.sentence ?? doing}</h1>
      <p class="lead">{end === undefined ? left : `The run has ended with exit code ${end.code}.`}</p>
      {end && (
        <p class="next">
          Report: <code>{end.page}</code>
        </p>
      )}
    </Top>
  );
}

function Told({ told }: { told: LiveRun['told'] }) {
  if (told.length === 0) return null;
  return (
    <>
      <h2>Learned of the target</h2>
      <Lines class="why" lines={told} />
    </>
  );
}

const text = (node: { toString: () => string | Promise<string> } | null): string => String(node ?? '');

/** What the page says of a run now. Texts must be inert already. */
export function liveParts(run: LiveRun): LiveParts {
  const { cell, checks } = run;
  return {
    top: text(<Banner run={run} />),
    now: cell === undefined ? '' : text(<RunningCell cell={cell} />),
    checks: checks === undefined ? '' : text(<Checks checks={checks} />),
    causes: text(<CausesSoFar causes={checks?.causes ?? []} />),
    cells: text(<EndedCells cells={run.cells} />),
    told: text(<Told told={run.told} />),
  };
}

/** The page of a run that goes on: the frame and style of the report, parts that change, and nothing of another origin. */
export function renderLivePage(parts: LiveParts, { runId, command }: Pick<LiveRun, 'runId' | 'command'>): string {
  return pageText({
    title: `${command} ${runId}, live`,
    script: SCRIPT,
    style: STYLE,
    connects: true,
    top: (
      <>
        <Sprite />
        <div id="top">{raw(parts.top)}</div>
      </>
    ),
    footer: `run ${runId} · figures as they come; the report has those that count · this page asks this machine alone`,
    children: (
      <>
        <p class="stamp" id="lost" role="status" hidden>
          The run cannot be reached: it has ended, or was cut
        </p>
        <section id="now">{raw(parts.now)}</section>
        <section id="checks">{raw(parts.checks)}</section>
        {(['causes', 'cells'] as const).map((id) => (
          <section>
            <div class="wide" id={id} tabindex={0}>
              {raw(parts[id])}
            </div>
          </section>
        ))}
        <section id="told">{raw(parts.told)}</section>
      </>
    ),
  });
}
