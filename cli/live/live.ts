import { messageOf } from '../../lib/errors.ts';
import { scrubbed } from '../../lib/outgoing.ts';
import { statementText } from '../../lib/records/answer.ts';
import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import type { LoadProgress } from '../../load/run/progress.ts';
import { liveParts, renderLivePage } from '../../reports/html/live/page.tsx';
import type { LiveChecks, LiveRun, LiveSecond } from '../../reports/model/live.ts';
import { hasScreen, openInBrowser } from '../session/browser.ts';
import { serveLive } from './server.ts';

/** Characters of one text on the page. */
const LONGEST = 400;
/** Seconds of a cell that are drawn, and lines of what was learned. */
const MOST_SECONDS = 600;
const MOST_TOLD = 20;

/** Where a run is, in the words that the terminal has for it. */
interface Whereabouts {
  readonly doing: string;
  readonly left: string;
  /** Of a cell: its name and its planned seconds. */
  readonly name?: string;
  readonly seconds?: number;
}

/** A look at a run that goes on. What tells the terminal of the run tells this. */
export interface Live {
  readonly load: (event: LoadProgress, at: Whereabouts) => void;
  readonly checks: (checks: LiveChecks, at: Whereabouts) => void;
  /** Shows the answer of the run, and ends. */
  readonly end: (report: Report, page: string) => void;
}

/** A text as the page may show it. */
const shown = (text: string): string => inert(scrubbed(text), LONGEST);

/** Takes in one event of a load. */
export function withLoad(run: LiveRun, event: LoadProgress, at: Whereabouts): LiveRun {
  const { cell, cells, told } = run;
  const moved = { ...run, doing: shown(at.doing), left: at.left };
  if (event.kind === 'cell-start') {
    const { targetPerSecond, connections } = event.cell;
    const { name = '', seconds = 0 } = at;
    return { ...moved, cell: { name, targetPerSecond, connections, seconds, course: [] } };
  }
  if (event.kind === 'second' && cell !== undefined) {
    const course: readonly LiveSecond[] = [...cell.course, event.progress].slice(-MOST_SECONDS);
    return { ...moved, cell: { ...cell, course } };
  }
  if (event.kind === 'cell-end') {
    const { verdict, achievedPerSecond, serviceTime, dropped, failed, reasons } = event.report;
    const { p50Ms, p99Ms } = serviceTime;
    const figures = { verdict, achievedPerSecond, p50Ms, p99Ms, dropped, failed };
    const ended = { name: at.name ?? '', ...figures, reason: shown(verdict === 'met' ? '' : (reasons[0] ?? '')) };
    return { ...moved, cell: undefined, cells: [...cells, ended] };
  }
  if (event.kind === 'told' && !told.includes(shown(event.text)))
    return { ...moved, told: [...told, shown(event.text)].slice(-MOST_TOLD) };
  return moved;
}

/** Takes in how far the checks are. */
export function withChecks(run: LiveRun, checks: LiveChecks, at: Whereabouts): LiveRun {
  const causes = checks.causes.map((cause) => ({ ...cause, id: shown(cause.id), title: shown(cause.title) }));
  return { ...run, doing: at.doing, left: at.left, checks: { ...checks, causes } };
}

/** Serves a page of the run on this machine, says where, and opens it where somebody sits before a screen. */
export function startLive(given: Pick<LiveRun, 'command' | 'runId' | 'target'>, say: (line: string) => void): Live {
  let run: LiveRun = { ...given, target: shown(given.target), doing: 'Starting', left: '', cells: [], told: [] };
  const parts = () =>
    Object.fromEntries(Object.entries(liveParts(run)).map(([id, text]) => [id, scrubbed(text)])) as ReturnType<
      typeof liveParts
    >;
  const server = serveLive({ parts, page: (now) => renderLivePage(now as ReturnType<typeof liveParts>, run) });
  server.address
    .then(async (address) => {
      say(`live: ${address}`);
      if (hasScreen()) await openInBrowser(address);
    })
    .catch((fault: unknown) => say(`warning: no live page, the run goes on: ${messageOf(fault)}`));
  return {
    load(event, at) {
      run = withLoad(run, event, at);
    },
    checks(checks, at) {
      run = withChecks(run, checks, at);
    },
    end({ answer, exit }, page) {
      const end = { tone: answer.tone, sentence: shown(statementText(answer.sentence)), code: exit.code, page };
      run = { ...run, cell: undefined, end, ...(run.checks && { checks: { ...run.checks, inWork: [] } }) };
      server.end();
    },
  };
}
