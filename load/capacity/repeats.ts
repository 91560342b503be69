import type { Tally } from '../../lib/judge/capacity/settle.ts';
import type { FindOptions } from './find-options.ts';

/** Rates of the repeats as shares of the highest that held: most of them where 95 of 100 should hold. */
const SHARES = [0.92, 0.96, 1, 1.03] as const;

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}

/** Rates around the knee in random order, so that a drift of the target does not look like a matter of the rate. None where there is no knee. */
export function repeatRates(
  { low, high }: { readonly low: Tally | null; readonly high: Tally | null },
  { repeats, search, random }: Pick<FindOptions, 'repeats' | 'search' | 'random'>,
): readonly number[] {
  if (low === null || high === null || high.failed === 0) return [];
  const rates = Array.from({ length: repeats }, (_, at) =>
    Math.round(low.ratePerSecond * (SHARES[at % SHARES.length] ?? 1)),
  );
  return shuffled(
    rates.map((rate) => Math.min(Math.max(rate, search.lowest), search.highest)),
    random,
  );
}
