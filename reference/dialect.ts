/** Choices where the specification is silent, as values; each is a numbered assumption, and variations replace them. */
export const DIALECT = {
  /** Number of the first page. */
  firstPage: 1,
  defaultSize: 20,
  maxSize: 100,
  overMaxSize: 'refuse' as 'refuse' | 'clamp',
  pastEnd: 'refuse' as 'refuse' | 'empty',
  /** Negative operators keep records that lack the field. */
  negativeKeepsAbsent: true,
  ignoreCase: false,
  /** Sorting ignores case; the comparison of filters is not touched. */
  sortIgnoresCase: false,
  absentFirst: false,
  /** Values of filterType that mean OR. */
  orValues: ['or', 'OR', 'Or'] as readonly string[],
  andValues: ['and', 'AND', 'And'] as readonly string[],
  textOrder: 'honor' as 'honor' | 'refuse',
  unlistedField: 'refuse' as 'refuse' | 'ignore' | 'honor',
  /** Members left out of an update keep their value. */
  omittedOnUpdate: 'keep' as 'keep' | 'clear',
  duplicates: 'refuse' as 'refuse' | 'allow',
  /** Further members a create needs, where the family has them. */
  requiredOnCreate: [] as readonly string[],
  refusedNames: null as RegExp | null,
  secondDelete: 'refuse' as 'refuse' | 'accept',
  operationTypes: {
    ...{ create: 'create', update: 'update', updatebyid: 'update', delete: 'delete', deletebyid: 'delete' },
    ...{ apply: 'create', clear: 'delete' },
  } as Readonly<Record<string, 'create' | 'update' | 'delete'>>,
  /** How long a bulk request of no resources takes: long enough that a second one at once is refused. */
  bulkMs: 40,
  /** Words of refused apply and clear requests; null for words that name the endpoint and the policy. */
  ancRefusals: null as Readonly<Record<'unknownPolicy' | 'held' | 'notHeld', string>> | null,
  /** Writes need a token. */
  csrf: false,
  /** Connections at one time, further ones are reset; null for no limit. */
  connections: null as number | null,
};
export type Dialect = Readonly<typeof DIALECT>;
