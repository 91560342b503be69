import { type Options, SingleBar } from 'cli-progress';
import { duration } from '../../lib/numbers.ts';
import { type Output, outgoingLines } from './output.ts';

/** Progress of one stretch of work. */
export interface Progress {
  readonly update: (done: number, note?: string) => void;
  readonly stop: (closing?: string) => void;
}

/** Longest silence of what is slow, and time between two plain lines of what goes on. */
export const SILENCE_MS = 5000;
const PLAIN_EVERY_MS = 30_000;

/** What says how long the whole takes, where the stretch is a part of it; then its beginning is no line of its own. */
interface Whole {
  readonly say: (line: string) => void;
  readonly left: () => string;
}

function plainProgress(title: string, total: number, output: Output, whole?: Whole): Progress {
  const started = performance.now();
  let last = started;
  let moved = started;
  let at = { done: 0, note: '' };
  if (whole === undefined) output.say(`${title} ...`);
  /** Time that the rest would take at the speed so far. */
  const left = (done: number) => {
    if (whole !== undefined) return whole.left();
    if (done <= 0 || done >= total) return '';
    return `about ${duration(((performance.now() - started) / done) * (total - done))} left`;
  };
  const line = ({ done, note }: typeof at) => {
    last = performance.now();
    const parts = [`${title} ${done}/${total}${whole === undefined ? '' : ' s'}`, left(done), note];
    (whole?.say ?? output.say)(parts.filter((part) => part !== '').join(', '));
  };
  // Who follows the whole tells of its silences.
  const timer = setInterval(() => {
    const isSlow = whole === undefined && performance.now() - Math.max(moved, last) >= SILENCE_MS;
    if (isSlow) line(at);
  }, SILENCE_MS / 5);
  timer.unref();
  return {
    update(done, note = '') {
      moved = performance.now();
      at = { done, note };
      if (moved - last >= PLAIN_EVERY_MS) line(at);
    },
    stop(closing) {
      clearInterval(timer);
      if (closing !== undefined) output.say(closing);
    },
  };
}

/** A bar on a terminal, plain lines elsewhere, nothing with --quiet. */
export function startProgress(title: string, total: number, output: Output, whole?: Whole): Progress {
  if (output.quiet) return { update: () => undefined, stop: () => undefined };
  if (process.stderr.isTTY !== true) return plainProgress(title, total, output, whole);
  const options: Options = {
    format: `${outgoingLines(title)} [{bar}] {value}/{total} {eta_formatted} left {note}`,
    etaBuffer: 50,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  };
  const bar = new SingleBar(options);
  bar.start(total, 0, { note: '' });
  return {
    update: (done, note = '') => bar.update(Math.min(done, total), { note: outgoingLines(note) }),
    stop(closing) {
      bar.stop();
      if (closing !== undefined) output.say(closing);
    },
  };
}
