import { type Options, SingleBar } from 'cli-progress';
import { duration } from '../../lib/numbers.ts';
import { type Output, outgoingLines } from './output.ts';

/** Progress of one stretch of work. */
export interface Progress {
  readonly update: (done: number, note?: string) => void;
  readonly stop: (closing?: string) => void;
}

/** Seconds between two plain lines. */
export const PLAIN_EVERY_MS = 5000;

/** What says how long the whole takes, where the stretch is a part of it; then its beginning is no line of its own. */
interface Whole {
  readonly say: (line: string) => void;
  readonly left: () => string;
}

function plainProgress(title: string, total: number, output: Output, whole?: Whole): Progress {
  const started = performance.now();
  let last = started;
  const say = whole?.say ?? output.say;
  if (whole === undefined) say(`${title} ...`);
  /** Time that the rest would take at the speed so far. */
  const left = (done: number) => {
    if (whole !== undefined) return whole.left();
    if (done <= 0 || done >= total) return '';
    return `about ${duration(((performance.now() - started) / done) * (total - done))} left`;
  };
  return {
    update(done, note = '') {
      if (performance.now() - last < PLAIN_EVERY_MS) return;
      last = performance.now();
      say(
        [`${title} ${done}/${total}${whole === undefined ? '' : ' s'}`, left(done), note]
          .filter((part) => part !== '')
          .join(', '),
      );
    },
    stop(closing) {
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
