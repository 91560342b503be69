/** A deployment that did not do what the model of the specification says. */
export interface Difference {
  readonly requirement: string;
  readonly family: string;
  /** What was being looked at: names a difference among those of its requirement. */
  readonly what: string;
  readonly expected: string;
  readonly observed: string;
}

/** Name under which a difference is known once it was found. */
export function differenceKey({
  requirement,
  family,
  what,
}: Pick<Difference, 'requirement' | 'family' | 'what'>): string {
  return [requirement, family, what].join('|');
}

/** Ends a sequence at its first difference. */
export class DifferenceFound extends Error {
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(`${difference.requirement} (${difference.family}): ${difference.what}`);
    this.difference = difference;
  }
}
