import { raw } from 'hono/html';
import type { LiveRun } from '../../model/live.ts';
import { Sprite } from '../page/mark.tsx';
import { Lines, Top } from '../page/parts.tsx';
import { pageText } from '../page/shell.tsx';
import { CausesSoFar, Checks, EndedCells, RunningCell } from './sections.tsx';

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
