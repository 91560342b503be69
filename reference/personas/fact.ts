import type { Family } from '../../lib/contract/types.ts';

/** Where a rule comes from. */
export const CONFIDENCE = {
  R: 'recorded on a real deployment',
  P: 'published machine-readable definition',
  D: 'prose of the vendor',
  F: 'code of a client, or a forum',
  I: 'inferred',
} as const;

export type Confidence = keyof typeof CONFIDENCE;

/** A result that a rule keeps from being proven, on any suite. */
export interface Unavoidable {
  /** Check ids, with `*` for any text. */
  readonly checks: readonly string[];
  readonly why: string;
}

/** One way in which the real product is publicly known to answer, beyond `lib/contract/vendor.ts`. */
export interface Fact {
  /** Name on the command line. */
  readonly id: string;
  /** What the product does, in present tense. */
  readonly title: string;
  /** `usual`: on an ordinary 3.x deployment; `some`: on one that was recorded, on other releases, or with a setting. */
  readonly where: 'usual' | 'some';
  readonly confidence: readonly Confidence[];
  /**
   * `contradicts`: the specification says otherwise, and a failure for it is right. `silent`: the specification says nothing.
   * `setting`: an administrator chose it.
   */
  readonly relation: 'contradicts' | 'silent' | 'setting';
  /** Requirements that a failure may name, with `*` for any family or operator; only of what contradicts. */
  readonly breaks?: readonly string[];
  readonly source: string;
  /** True for the families that answer otherwise with the rule. */
  readonly affects: (family: Family) => boolean;
  /** Rules that cannot hold beside this one: the one that is named last stays. */
  readonly excludes?: readonly string[];
  readonly unavoidable?: Unavoidable;
}
