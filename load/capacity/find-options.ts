import type { SearchOptions } from './search.ts';

/** How a capacity is found, from the first rate to the claim. */
export interface FindOptions {
  readonly search: SearchOptions;
  /** Connections of the search: with the length of a stall they bound the rate that loses no arrival. */
  readonly connections: number;
  /** Steps around the knee after the search, at random rates. */
  readonly repeats: number;
  /** Measured seconds of the confirmation; 0 leaves it out. */
  readonly confirmSeconds: number;
  /** Longest confirmation at a rate: each of its arrivals takes an endpoint of its own. */
  readonly mostSeconds: (ratePerSecond: number) => number;
  /** Rate of the specification. */
  readonly targetPerSecond: number;
  readonly random: () => number;
}
