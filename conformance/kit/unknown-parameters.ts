/**
 * Query parameters that the specification does not name, of the kinds that clients and what stands between add: a value, a time stamp
 * against caches, none, and one twice. Source: "Conventions", extra query parameters may be added to any operation.
 */
export const UNKNOWN_PARAMETERS = [
  ['cfmx', '1'],
  ['_', '1700000000000'],
  ['cfm.empty', ''],
  ['cfmTwice', 'a'],
  ['cfmTwice', 'b c'],
] as const;
