import type { TargetError } from '../../lib/errors.ts';
import type { PairCoverage } from '../../lib/records/conformance.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Fixture } from '../kit/check.ts';

/** What one check did and saw. */
export interface Trace {
  /** What the ids of its exchanges begin with. */
  readonly label: string;
  readonly evidence: string[];
  /** Answers that an earlier check had asked for: its evidence if it has none of its own. */
  readonly shown: string[];
  readonly witness: Record<string, number>;
  readonly observations: Record<string, unknown>;
  readonly fixtures: Fixture[];
  pairs?: PairCoverage;
  grounds?: Grounds;
  /** What the connection did that ended it. */
  broke?: TargetError;
  usesAnswerLog: boolean;
}

/** Ids of the exchanges that a result rests on; one that was named again counts where it was named last. */
export function evidenceOf({ evidence, shown }: Trace): string[] {
  return [...new Set((evidence.length > 0 ? evidence : shown).toReversed())].reverse();
}

/** A trace of a check, or of whatever else the words name. */
export const emptyTrace = (...words: readonly (string | undefined)[]): Trace => ({
  label: words
    .filter((word) => word !== undefined)
    .join('/')
    .replace(/\s+/g, '-'),
  evidence: [],
  shown: [],
  witness: {},
  observations: {},
  fixtures: [],
  usesAnswerLog: false,
});
