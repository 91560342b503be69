import type { SearchOptions } from './search.ts';

/** How a capacity is found, from the first rate to the claim. */
export interface FindOptions {
  readonly search: SearchOptions;
  /** Measured seconds of the confirmation; 0 leaves it out. */
  readonly confirmSeconds: number;
  /** Longest confirmation at a rate: each of its arrivals takes an endpoint of its own. */
  readonly mostSeconds: (ratePerSecond: number) => number;
  /** Rate of the specification. */
  readonly targetPerSecond: number;
  /** Seconds that are left for search and confirmation. */
  readonly secondsLeft: () => number;
}
