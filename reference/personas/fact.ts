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

/** Results that a rule keeps every suite from deciding. */
interface Unavoidable {
  /** Checks with their variants, as `check|variant`, with `*` for any text. */
  readonly checks: readonly string[];
  /** Families, if they are not those that the rule affects. */
  readonly affects?: (family: Family) => boolean;
  /** Only in this mode; in all modes if absent. */
  readonly mode?: 'read-only' | 'own-data';
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
  /**
   * Requirements that a failure may name, with `*` for any family or operator; only of what contradicts. A word after a colon must
   * stand in the failure, if the requirement covers more than the rule does.
   */
  readonly breaks?: readonly string[];
  readonly source: string;
  /** True for the families that answer otherwise with the rule. */
  readonly affects: (family: Family) => boolean;
  /** Rules that cannot hold beside this one: the one that is named last stays. */
  readonly excludes?: readonly string[];
  readonly unavoidable?: readonly Unavoidable[];
}
