import { type Options, SingleBar } from 'cli-progress';
import { duration, roughly } from '../../lib/numbers.ts';
import { type Output, outgoingLines } from './output.ts';

export interface Progress {
  /** `share` of the whole, from 0 to 1, if what is done says less of the time that is left. */
  readonly update: (done: number, note?: string, share?: number) => void;
  readonly left: () => string;
  readonly stop: (closing?: string) => void;
}

/** Longest silence of what is slow, and time between two plain lines of what goes on. */
export const SILENCE_MS = 5000;
const PLAIN_EVERY_MS = 15_000;

/** How far the paces of a stretch and of its later half may lie apart, so that what is left is known within a factor of two. */
const MOST_APART = 1.5;
const BETWEEN_MS = 1000;

/**
 * Seconds that the rest of a stretch takes, as far as it was measured in that stretch; null if its later half went at another
 * pace. `done` and `rest` are of one unit.
 */
export function restOf(now = () => performance.now()): (done: number, rest: number) => number | null {
  const startMs = now();
  const seen = [{ ms: startMs, done: 0 }];
  return (done, rest) => {
    const ms = now();
    const half = seen.findLast((one) => one.ms <= (startMs + ms) / 2) ?? { ms: startMs, done: 0 };
    if (ms - (seen.at(-1)?.ms ?? 0) >= BETWEEN_MS) seen.push({ ms, done });
    const [whole, later] = [done / (ms - startMs), (done - half.done) / (ms - half.ms)];
    const isKnown = half.ms > startMs && later > 0 && later < whole * MOST_APART && whole < later * MOST_APART;
    return isKnown && rest > 0 ? rest / later / 1000 : null;
  };
}

/** `about 4 min left`; empty if that is not known. */
export const leftWords = (seconds: number | null, of = ''): string =>
  seconds === null ? '' : `about ${roughly(Math.max(1, seconds))} left${of}`;

/** What says how long the whole takes, where the stretch is a part of it; then its beginning is no line of its own. */
interface Whole {
  readonly say: (line: string) => void;
  readonly left: () => string;
}

type Follow = Pick<Progress, 'left'> & { readonly at: (share: number) => void };

function plainProgress(title: string, total: number, output: Output, follow: Follow, whole?: Whole): Progress {
  let last = performance.now();
  let moved = last;
  let at = { done: 0, note: '' };
  if (whole === undefined) output.say(`${title} ...`);
  const line = ({ done, note }: typeof at) => {
    last = performance.now();
    const parts = [`${title} ${done}/${total}${whole === undefined ? '' : ' s'}`, follow.left(), note];
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
      at = { done, note };
      follow.at(share);
      if (moved - last >= PLAIN_EVERY_MS) line(at);
    },
    left: follow.left,
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
  const rest = restOf();
  let words = '';
  const follow: Follow = {
    at: (share) => {
      words = leftWords(rest(share, 1 - share));
    },
    left: () => whole?.left() ?? words,
  };
  if (output.quiet)
    return {
      update: (done, _note, share = done / total) => follow.at(share),
      left: follow.left,
      stop: () => undefined,
    };
  if (process.stderr.isTTY !== true) return plainProgress(title, total, output, follow, whole);
  const options: Options = {
    format: `${outgoingLines(title)} [{bar}] {done}/${total} {left} {note}`,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  };
  const bar = new SingleBar(options);
  bar.start(SHARES, 0, { done: 0, note: '', left: '' });
  return {
    update(done, note = '', share = done / total) {
      follow.at(share);
      const told = { done, note: outgoingLines(note), left: follow.left() };
      bar.update(Math.min(Math.round(share * SHARES), SHARES), told);
    },
    left: follow.left,
    stop(closing) {
      bar.stop();
      if (closing !== undefined) output.say(closing);
    },
  };
}
