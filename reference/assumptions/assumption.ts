/** A choice where the specification is silent. */
export interface Assumption {
  /** A-01 …; permanent. */
  readonly id: string;
  readonly text: string;
  readonly reason: string;
  /** Where the choice comes from. */
  readonly source: string;
}
