import { type Options, SingleBar } from 'cli-progress';
import { duration, roughly } from '../../lib/text.ts';
import { type Output, outgoingLines } from './output.ts';

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
export function restOf(): (done: number, rest: number) => number | null {
  const startMs = performance.now();
  const seen = [{ ms: startMs, done: 0 }];
  return (done, rest) => {
    const ms = performance.now();
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

/**
 * A bar on a terminal, plain lines elsewhere, nothing with --quiet. `leftOfWhole` says how long all takes of which this is a part;
 * then its beginning is no line of its own, and who follows the whole tells of its silences.
 */
export function startProgress(title: string, total: number, output: Output, leftOfWhole?: () => string) {
  const rest = restOf();
  const isPart = leftOfWhole !== undefined;
  const isPlain = process.stderr.isTTY !== true;
  let [done, note, words] = [0, '', ''];
  const left = () => leftOfWhole?.() ?? words;
  const options: Options = {
    format: `${outgoingLines(title)} [{bar}] {done}/${total} {left} {note}`,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  };
  const bar = isPlain || output.quiet ? undefined : new SingleBar(options);
  bar?.start(SHARES, 0, { done, note, left: '' });
  let [movedMs, saidMs] = [performance.now(), performance.now()];
  if (isPlain && !isPart) output.say(`${title} ...`);
  const line = () => {
    saidMs = performance.now();
    const parts = [`${title} ${done}/${total}${isPart ? ' s' : ''}`, left(), note];
    output.say(parts.filter((part) => part !== '').join(', '));
  };
  const timer = setInterval(() => {
    if (isPlain && !isPart && performance.now() - Math.max(movedMs, saidMs) >= SILENCE_MS) line();
  }, SILENCE_MS / 5);
  timer.unref();
  return {
    /** `share` of the whole, from 0 to 1, if what is done says less of the time that is left. */
    update(next: number, said = '', share = next / total): void {
      [done, note, movedMs] = [next, said, performance.now()];
      words = leftWords(rest(share, 1 - share));
      bar?.update(Math.min(Math.round(share * SHARES), SHARES), { done, note: outgoingLines(note), left: left() });
      if (isPlain && movedMs - saidMs >= PLAIN_EVERY_MS) line();
    },
    left,
    stop(closing?: string): void {
      clearInterval(timer);
      bar?.stop();
      if (closing !== undefined) output.say(closing);
    },
  };
}
