import { type Options, SingleBar } from 'cli-progress';
import { duration } from '../../lib/numbers.ts';
import { type Output, outgoingLines } from './output.ts';

export interface Progress {
  /** `share` of the whole, from 0 to 1, if what is done says less of the time that is left. */
  readonly update: (done: number, note?: string, share?: number) => void;
  readonly stop: (closing?: string) => void;
}

/** Longest silence of what is slow, and time between two plain lines of what goes on. */
export const SILENCE_MS = 5000;
const PLAIN_EVERY_MS = 15_000;

/** Words for the time that the rest takes at the speed so far; empty if that is not known. */
export function timeLeft(startedMs: number, share: number): string {
  if (share <= 0 || share >= 1) return '';
  return `about ${duration(Math.max(1000, ((performance.now() - startedMs) / share) * (1 - share)))} left`;
}

/** What says how long the whole takes, where the stretch is a part of it; then its beginning is no line of its own. */
interface Whole {
  readonly say: (line: string) => void;
  readonly left: () => string;
}

function plainProgress(title: string, total: number, output: Output, whole?: Whole): Progress {
  const started = performance.now();
  let last = started;
  let moved = started;
  let at = { done: 0, note: '', share: 0 };
  if (whole === undefined) output.say(`${title} ...`);
  const left = (share: number) => whole?.left() ?? timeLeft(started, share);
  const line = ({ done, note, share }: typeof at) => {
    last = performance.now();
    const parts = [`${title} ${done}/${total}${whole === undefined ? '' : ' s'}`, left(share), note];
    (whole?.say ?? output.say)(parts.filter((part) => part !== '').join(', '));
  };
  // Who follows the whole tells of its silences.
  const timer = setInterval(() => {
    const isSlow = whole === undefined && performance.now() - Math.max(moved, last) >= SILENCE_MS;
    if (isSlow) line(at);
  }, SILENCE_MS / 5);
  timer.unref();
  return {
    update(done, note = '', share = done / total) {
      moved = performance.now();
      at = { done, note, share };
      if (moved - last >= PLAIN_EVERY_MS) line(at);
    },
    stop(closing) {
      clearInterval(timer);
      if (closing !== undefined) output.say(closing);
    },
  };
}

/** Tells of waits that a target asks for: the first, and then one in a while. */
export function waitNotice(say: Output['say']) {
  let saidMs = Number.NEGATIVE_INFINITY;
  return (status: number | 'late', ms: number): void => {
    if (performance.now() - saidMs < PLAIN_EVERY_MS) return;
    saidMs = performance.now();
    const target = `the target ${status === 0 ? 'gives no answer' : `answers ${status}`}`;
    say(`waiting ${duration(ms)}: ${status === 'late' ? 'a write may still take effect' : target}`);
  };
}

const SHARES = 1000;

/** A bar on a terminal, plain lines elsewhere, nothing with --quiet. */
export function startProgress(title: string, total: number, output: Output, whole?: Whole): Progress {
  if (output.quiet) return { update: () => undefined, stop: () => undefined };
  if (process.stderr.isTTY !== true) return plainProgress(title, total, output, whole);
  const options: Options = {
    format: `${outgoingLines(title)} [{bar}] {done}/${total} {eta_formatted} left {note}`,
    etaBuffer: 50,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  };
  const bar = new SingleBar(options);
  bar.start(SHARES, 0, { done: 0, note: '' });
  return {
    update: (done, note = '', share = done / total) =>
      bar.update(Math.min(Math.round(share * SHARES), SHARES), { done, note: outgoingLines(note) }),
    stop(closing) {
      bar.stop();
      if (closing !== undefined) output.say(closing);
    },
  };
}
