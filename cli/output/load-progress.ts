import { cellWord, count, counted } from '../../lib/text.ts';
import { type Phase, rampUpSeconds } from '../../load/plan/phases.ts';
import type { LoadProgress } from '../../load/run/prepared-pool.ts';
import type { Live } from '../live/live.ts';
import type { Output } from './output.ts';
import { leftWords, restOf, SILENCE_MS, startProgress } from './progress.ts';

/** Before this share of the plan is done, its own figures say more than the pace so far. */
const LEAST_DONE = 0.1;
/** Slower than the plan by more than this is one phase that is not like the others; one that ended early says nothing of them. */
const MOST_PACE = 3;

/** Follows a plan: planned seconds of what is left, at the pace of what is done. `laterSeconds` come after the last phase. */
export function courseOf(phases: readonly Phase[], now: () => number, laterSeconds = 0) {
  const startMs = now();
  let place = 0;
  let enteredMs = startMs;
  const secondsTo = (end: number) => phases.slice(0, end).reduce((sum, { seconds }) => sum + seconds, 0);
  const whole = secondsTo(phases.length) + laterSeconds;
  const at = () => `${place + 1} of ${phases.length}`;
  return {
    /** Enters a phase by its place; a phase that is not planned is the last one. */
    enter(next: number): void {
      const bounded = Math.max(0, Math.min(next, phases.length - 1));
      if (bounded === place) return;
      place = bounded;
      enteredMs = now();
    },
    place: at,
    where: () => `phase ${at()}: ${phases[place]?.name ?? ''}`,
    /** `about 20 min left in all`; empty if nobody knows: the phase is over its plan. `rest`: seconds that it still takes, or null, if that was measured. */
    left(rest?: number | null): string {
      const planned = phases[place]?.seconds ?? 0;
      const inPhase = (now() - enteredMs) / 1000;
      if (rest === null || (rest === undefined && inPhase > planned)) return '';
      const done = secondsTo(place) + Math.min(inPhase, planned);
      const pace = done < LEAST_DONE * whole ? 1 : Math.min(Math.max((now() - startMs) / 1000 / done, 1), MOST_PACE);
      const later = whole - secondsTo(place + 1);
      return leftWords((rest ?? pace * (planned - inPhase)) + pace * later, ' in all');
    },
  };
}

/** A cell that tells of its seconds runs; then come its read-back and the next one. */
const RUNS_MS = 2000;

type OfCell = Extract<LoadProgress, { kind: 'cell-start' | 'cell-end' }>;

/** What of a cell is not in the name of its phase: the rate of a step, and the second try. */
function nameOf({ profile, operation, targetPerSecond, connections, step }: OfCell['cell']): string {
  if (step !== undefined) return `step ${step.number}, ${targetPerSecond}/s on ${counted(connections, 'connection')}`;
  return `${profile} ${operation}`;
}

const secondsOfArrivals = (cell: OfCell['cell']): number =>
  rampUpSeconds(cell) + cell.warmupSeconds + cell.durationSeconds;

const placeOf = (phases: readonly Phase[], { cell, index }: OfCell): number =>
  cell.step === undefined ? index : phases.findIndex(({ name }) => name === cell.step?.purpose);

const told = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');

function endWords({ cell, report }: Extract<LoadProgress, { kind: 'cell-end' }>, isCut: boolean): string {
  const { verdict, achievedPerSecond, dropped, failed, serviceTime, reasons } = report;
  if (verdict === 'invalid' && isCut) return `${nameOf(cell)}: interrupted`;
  const isExpected = cell.step?.purpose === 'recovery' && verdict !== 'invalid';
  const why = verdict === 'met' || isExpected || reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  const figures = `${achievedPerSecond.toFixed(1)}/s, ${count(dropped)} dropped, ${count(failed)} failed, p99 ${serviceTime.p99Ms?.toFixed(1) ?? '-'} ms`;
  return `${nameOf(cell)}: ${cellWord(verdict, cell.step)}${verdict === 'invalid' ? '' : `, ${figures}`}${why}`;
}

/** Shows a load as it goes. What is silent for five seconds gets a line, also while endpoints are prepared and cleared. */
export function progressView(
  output: Output,
  phases: readonly Phase[],
  laterSeconds = 0,
  isCut: () => boolean = () => false,
  live?: Live,
): { readonly show: (event: LoadProgress) => void; readonly stop: () => void } {
  const course = courseOf(phases, () => performance.now(), laterSeconds);
  let bar: ReturnType<typeof startProgress> | undefined;
  let quietSinceMs = performance.now();
  let doing = () => 'looking at the target and the endpoints';
  let title = '';
  let left = () => course.left();
  let secondMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    if (performance.now() - quietSinceMs < SILENCE_MS) return;
    quietSinceMs = performance.now();
    output.say(told(doing(), left()));
  }, SILENCE_MS / 5);
  timer.unref();
  const shown = (event: LoadProgress) => {
    if (event.kind === 'cell-start') {
      course.enter(placeOf(phases, event));
      // The phase of a load is named after its cell.
      const name = event.cell.step === undefined ? '' : `, ${nameOf(event.cell)}`;
      title = `${course.where()}${name}${event.attempt === 2 ? ', once more' : ''}`;
      bar = startProgress(title, secondsOfArrivals(event.cell), output, course.left);
      doing = () => `${title}: preparing and reading back`;
    } else if (event.kind === 'preparing') {
      const { endpoints } = event;
      doing = () => `${course.where()}: preparing ${counted(endpoints, 'endpoint')}`;
    } else if (event.kind === 'second') {
      const { second, startedPerSecond, dropped, p99Ms } = event.progress;
      secondMs = performance.now();
      quietSinceMs = secondMs;
      bar?.update(
        second,
        `${startedPerSecond}/s, ${count(dropped)} dropped, p99 ${p99Ms === null ? '-' : p99Ms.toFixed(1)} ms`,
      );
    } else if (event.kind === 'cell-end') {
      bar?.stop(`phase ${course.place()}: ${endWords(event, isCut())}`);
      quietSinceMs = performance.now();
    } else if (event.kind === 'told') output.sayOnce(event.text);
    else if (event.kind === 'cleaning') {
      course.enter(phases.length - 1);
      const { endpoints, leftNow } = event;
      const rest = restOf();
      const done = () => endpoints - leftNow();
      left = () => course.left(rest(done(), leftNow()));
      doing = () => `phase ${course.place()}: clearing ${count(done())} of ${counted(endpoints, 'endpoint')}`;
    }
  };
  const isRunning = () => performance.now() - secondMs < RUNS_MS;
  live?.follow(() => ({ doing: isRunning() ? title : doing(), left: left() }));
  const show = (event: LoadProgress) => {
    shown(event);
    const cell = event.kind === 'cell-start' || event.kind === 'cell-end' ? event.cell : undefined;
    live?.load(event, cell && { name: nameOf(cell), seconds: secondsOfArrivals(cell) });
  };
  return { show, stop: () => clearInterval(timer) };
}
