import fc from 'fast-check';

/** Holds a property against values that are made up; it may throw, or give false. */
export const forAll = <Values extends [unknown, ...unknown[]]>(
  made: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  holds: (...values: Values) => boolean | undefined,
  options?: fc.Parameters<Values>,
): void => fc.assert(fc.property(...made, holds), options);
