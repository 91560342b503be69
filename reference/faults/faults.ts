import { OPS } from '../../lib/contract/operations.ts';
import { UsageError } from '../../lib/errors.ts';
import { durationMs } from '../../lib/text.ts';
import { changing, type Deviation, onAnc } from '../deviation.ts';
import type { Answer, Call } from '../http/wire.ts';
import type { Kit } from '../seams.ts';
import { answering, refusing, type Scope, sinceFirst, turnsOf, waiting } from './fault.ts';

const DURATION = String.raw`(\d+(?:\.\d+)?(?:ms|s))`;
const SHARE = String.raw`(\d+(?:\.\d+)?)%`;
const RATE = String.raw`(\d+(?:\.\d+)?)/s`;

const ms = (duration = '') => durationMs(duration) ?? Number.NaN;
const shareOf = (percent: string | undefined) => Number(percent) / 100;

const RESET: Answer = { status: 500, headers: {}, body: '', reset: true };
/** An arrival after so long without one begins a new load. */
const PAUSE_MS = 500;
/** Warm-up and measured time of a cell of depth quick: what a time before its end is counted from. */
const QUICK_CELL_MS = 12_000;
/** A lost endpoint is stored at first, so that nothing is wrong with it at once. */
const LOST_AFTER_MS = 300;

const drawn =
  (percent: string | undefined) =>
  (_call: Call, { random }: Kit): boolean =>
    random() < shareOf(percent);

/** A standard normal number from two uniform ones (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Milliseconds that are left of a window, by those since the first ANC request; 0 or less outside of it. */
type Window = (passedMs: number) => number;
const windowAt =
  (lengthMs: number, afterMs: number): Window =>
  (passedMs) =>
    passedMs < afterMs ? 0 : afterMs + lengthMs - passedMs;

const stalling = (leftOf: Window): Deviation =>
  waiting('anc', ({ wait }) => {
    const since = sinceFirst();
    return async () => {
      const leftMs = leftOf(since());
      if (leftMs > 0) await wait(leftMs);
    };
  });

/** Apply and clear of one window answer success at once and take effect at its end; what is wrong with them then, nobody is told. */
const lateStore = (leftOf: Window): Deviation =>
  onAnc(({ wait }) => {
    const since = sinceFirst();
    return (work) => {
      const leftMs = leftOf(since());
      if (leftMs <= 0) return work();
      void wait(leftMs)
        .then(work)
        .catch(() => undefined);
    };
  });

/** A share of the applied policies is stored, and gone a little later. */
const lost = (share: number): Deviation =>
  changing('anc', (inner, kit) => ({
    apply: async (targets) => {
      await inner.apply(targets);
      if (kit.random() >= share) return;
      void kit
        .wait(LOST_AFTER_MS)
        .then(() => inner.clear(targets))
        .catch(() => undefined);
    },
  }));

/** From a moment of each load on, ANC requests queue for a rate; `fromMs` below 0 counts back from the end of a quick cell. */
const collapse = (perSecond: number, fromMs: number): Deviation =>
  waiting('anc', (kit) => {
    const turn = turnsOf(kit, perSecond);
    const startMs = fromMs < 0 ? QUICK_CELL_MS + fromMs : fromMs;
    let [begun, last] = [0, Number.NEGATIVE_INFINITY];
    return () => {
      const now = performance.now();
      if (now - last > PAUSE_MS) begun = now;
      last = now;
      return now - begun < startMs ? undefined : turn();
    };
  });

/** Requests of these ANC operations queue for tokens that come at a fixed rate, one at a time: no burst. */
const rate = (perSecond: number, ops: readonly string[]): Deviation =>
  waiting('anc', (kit) => {
    const turn = turnsOf(kit, perSecond);
    return ({ route }) => (ops.includes(route?.op ?? '') ? turn() : undefined);
  });

interface Spelling {
  /** An example, as people are shown it. */
  readonly form: string;
  readonly pattern: RegExp;
  readonly make: (match: readonly string[], scope: Scope) => Deviation;
}

const spelling = (form: string, pattern: string, make: Spelling['make']): Spelling => ({
  form,
  pattern: new RegExp(`^${pattern}$`),
  make,
});

const SPELLINGS: readonly Spelling[] = [
  spelling('latency=200ms', `latency=${DURATION}`, ([, delay], scope) =>
    waiting(scope, ({ wait }) => {
      const delayMs = ms(delay);
      return () => wait(delayMs);
    }),
  ),
  spelling(
    'latency=lognormal:50ms:0.5',
    `latency=lognormal:${DURATION}:(\\d+(?:\\.\\d+)?)`,
    ([, median, sigma], scope) =>
      waiting(
        scope,
        ({ wait, random }) =>
          () =>
            wait(ms(median) * Math.exp(Number(sigma) * normal(random))),
      ),
  ),
  spelling('stall=2s@10s', `stall=${DURATION}@${DURATION}`, ([, length, after]) =>
    stalling(windowAt(ms(length), ms(after))),
  ),
  spelling('error=5%', `error=${SHARE}`, ([, percent], scope) =>
    answering(scope, drawn(percent), refusing(500, 'Seeded internal fault')),
  ),
  // Told to come back later (C17).
  spelling('status=503:1%', `status=(503|429):${SHARE}`, ([, status, percent], scope) =>
    answering(scope, drawn(percent), refusing(Number(status), 'Too busy: try again', { 'Retry-After': '1' })),
  ),
  spelling('reset=1%', `reset=${SHARE}`, ([, percent], scope) => answering(scope, drawn(percent), () => RESET)),
  // A deployment that takes no writes, or keeps what it has.
  spelling('refuse=DELETE:405', 'refuse=(POST|PUT|DELETE):(4\\d\\d)', ([, method, status], scope) =>
    answering(scope, ({ request }) => request.method === method, refusing(Number(status), `${method} is not allowed`)),
  ),
  spelling(
    'refuse=sgt.update:400',
    `refuse=(?:([a-z]+)\\.)?(${Object.keys(OPS).join('|')}):([45]\\d\\d)`,
    ([, family, op, status]) =>
      answering(
        'all',
        ({ route }) => route?.op === op && (family === undefined || route?.family === family),
        refusing(Number(status), `${op} is refused`),
      ),
  ),
  spelling('no-store=10%', `no-store(?:=${SHARE})?`, ([, percent = '100']) =>
    onAnc(
      ({ random }) =>
        (work) =>
          random() < shareOf(percent) ? undefined : work(),
    ),
  ),
  spelling('late-store=4s@2s', `late-store=${DURATION}@${DURATION}`, ([, length, after]) =>
    lateStore(windowAt(ms(length), ms(after))),
  ),
  spelling('lost=0.5%', `lost=${SHARE}`, ([, percent]) => lost(shareOf(percent))),
  spelling('bucket=250/s,2000', `bucket=${RATE},(\\d+)`, ([, perSecond, size]) =>
    waiting('anc', (kit) => turnsOf(kit, Number(perSecond), Number(size))),
  ),
  spelling('stall=300ms/30s', `stall=${DURATION}/${DURATION}`, ([, length, every]) => {
    const [lengthMs, everyMs] = [ms(length), ms(every)];
    return stalling((passedMs) => (passedMs < everyMs ? 0 : lengthMs - (passedMs % everyMs)));
  }),
  spelling('collapse=200/s@-2s', `collapse=${RATE}@(-?)${DURATION}`, ([, perSecond, sign, from]) =>
    collapse(Number(perSecond), ms(from) * (sign === '-' ? -1 : 1)),
  ),
  // Of both operations, or of one.
  spelling('rate=180/s:apply', `rate=${RATE}(?::(apply|clear))?`, ([, perSecond, op]) =>
    rate(Number(perSecond), op === undefined ? ['apply', 'clear'] : [op]),
  ),
];

const SCOPE = 'only=anc';

/** A list that is split at its commas splits the spelling of a bucket too: its size belongs to what stands before it. */
function whole(texts: readonly string[]): readonly string[] {
  const isSize = (text: string, before: string | undefined) =>
    /^\d+$/.test(text) && before?.startsWith('bucket=') === true;
  return texts.flatMap((text, at) => {
    const [before, after] = [texts[at - 1], texts[at + 1]];
    if (isSize(text, before)) return [];
    return after !== undefined && isSize(after, text) ? [`${text},${after}`] : [text];
  });
}

/** Faults by their spellings; `only=anc` narrows all of them to apply and clear. Throws `UsageError` for a wrong spelling. */
export function parseFaults(texts: readonly string[]): readonly Deviation[] {
  const scope = texts.includes(SCOPE) ? 'anc' : 'all';
  return whole(texts)
    .filter((text) => text !== SCOPE)
    .map((text) => {
      for (const { pattern, make } of SPELLINGS) {
        const match = pattern.exec(text);
        if (match !== null) return make(match, scope);
      }
      throw new UsageError('unknown-fault', `there is no fault ${text}`, {
        hint: `one of ${[...SPELLINGS.map(({ form }) => form), SCOPE].join(', ')}`,
      });
    });
}
