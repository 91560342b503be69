import { messageOf } from '../../lib/errors.ts';
import { scrubbed } from '../../lib/outgoing.ts';
import { statementText } from '../../lib/records/answer.ts';
import type { Report } from '../../lib/records/report.ts';
import { cellWord, inert } from '../../lib/text.ts';
import type { LoadProgress } from '../../load/run/prepared-pool.ts';
import { type LiveParts, liveParts, renderLivePage } from '../../reports/html/live/page.tsx';
import type { LiveCell, LiveChecks, LiveRun } from '../../reports/model/live.ts';
import { hasScreen, openInBrowser } from '../session/browser.ts';
import { serveLive } from './server.ts';

const LONGEST = 400;
/** Seconds of a cell that are drawn, and lines of what was learned. */
const MOST_SECONDS = 600;
const MOST_TOLD = 20;

type Whereabouts = Pick<LiveRun, 'doing' | 'left'>;

const shown = (text: string): string => inert(scrubbed(text), LONGEST);

export function withLoad(run: LiveRun, event: LoadProgress, named?: Pick<LiveCell, 'name' | 'seconds'>): LiveRun {
  const { cell, cells, told } = run;
  const { name, seconds } = named ?? { name: '', seconds: 0 };
  if (event.kind === 'cell-start') {
    const { targetPerSecond, connections } = event.cell;
    return { ...run, cell: { name, targetPerSecond, connections, seconds, course: [] } };
  }
  if (event.kind === 'second' && cell !== undefined) {
    return { ...run, cell: { ...cell, course: [...cell.course, event.progress].slice(-MOST_SECONDS) } };
  }
  if (event.kind === 'cell-end') {
    const { report } = event;
    const { verdict, reasons } = report;
    const reason = shown(verdict === 'met' ? '' : (reasons[0] ?? ''));
    const ended = { name, word: cellWord(verdict, event.cell.step), reason, report };
    return { ...run, cell: undefined, cells: [...cells, ended] };
  }
  if (event.kind === 'told' && !told.includes(shown(event.text)))
    return { ...run, told: [...told, shown(event.text)].slice(-MOST_TOLD) };
  return run;
}

/** Serves a page of the run on this machine, says where, and opens it if somebody sits before a screen. */
export function startLive(given: Pick<LiveRun, 'command' | 'runId' | 'target'>, say: (line: string) => void) {
  let run: LiveRun = { ...given, target: shown(given.target), doing: 'starting', left: '', cells: [], told: [] };
  let follow = (): Whereabouts => run;
  let checks: (() => LiveChecks) | undefined;
  const parts = () => {
    const { doing, left } = follow();
    const held = checks?.();
    const causes = held?.causes.map((cause) => ({ ...cause, id: shown(cause.id), title: shown(cause.title) })) ?? [];
    const now = { ...run, doing: shown(doing), left, checks: held && { ...held, causes } };
    return Object.fromEntries(Object.entries(liveParts(now)).map(([id, text]) => [id, scrubbed(text)])) as LiveParts;
  };
  const server = serveLive({ parts, page: (now) => renderLivePage(now as LiveParts, run) });
  server.address
    .then(async (address) => {
      say(`live: ${address}`);
      if (hasScreen()) await openInBrowser(address);
    })
    .catch((fault: unknown) => say(`warning: no live page, the run goes on: ${messageOf(fault)}`));
  return {
    follow(at: () => Whereabouts) {
      follow = at;
    },
    /** One event of a load; `cell` names the cell that it is about. */
    load(event: LoadProgress, cell?: Pick<LiveCell, 'name' | 'seconds'>) {
      run = withLoad(run, event, cell);
    },
    checks(next: () => LiveChecks) {
      checks = next;
    },
    end({ answer, exit }: Report, page: string) {
      const end = { tone: answer.tone, sentence: shown(statementText(answer.sentence)), code: exit.code, page };
      run = { ...run, cell: undefined, end };
      server.end();
    },
  };
}
export type Live = ReturnType<typeof startLive>;
