/** Choices where the specification is silent, as values; each is a numbered assumption, and variations replace them. */
export interface Dialect {
  /** Number of the first page. */
  readonly firstPage: number;
  readonly defaultSize: number;
  readonly maxSize: number;
  readonly overMaxSize: 'refuse' | 'clamp';
  readonly pastEnd: 'refuse' | 'empty';
  /** Negative operators keep records that lack the field. */
  readonly negativeKeepsAbsent: boolean;
  readonly ignoreCase: boolean;
  /** Sorting ignores case; the comparison of filters is not touched. */
  readonly sortIgnoresCase: boolean;
  readonly absentFirst: boolean;
  /** Values of filterType that mean OR. */
  readonly orValues: readonly string[];
  readonly andValues: readonly string[];
  readonly textOrder: 'honor' | 'refuse';
  readonly unlistedField: 'refuse' | 'ignore' | 'honor';
  /** Members left out of an update keep their value. */
  readonly omittedOnUpdate: 'keep' | 'clear';
  readonly duplicates: 'refuse' | 'allow';
  /** Further members a create needs, where the family has them. */
  readonly requiredOnCreate: readonly string[];
  readonly refusedNames: RegExp | null;
  readonly secondDelete: 'refuse' | 'accept';
  readonly operationTypes: Readonly<Record<string, 'create' | 'update' | 'delete'>>;
  /** How long a bulk request of no resources takes: long enough that a second one at once is refused. */
  readonly bulkMs: number;
  /** Words of refused apply and clear requests; null for words that name the endpoint and the policy. */
  readonly ancRefusals: Readonly<Record<'unknownPolicy' | 'held' | 'notHeld', string>> | null;
  /** Writes need a token. */
  readonly csrf: boolean;
  /** Connections at one time, further ones are reset; null for no limit. */
  readonly connections: number | null;
}

export const DIALECT: Dialect = {
  firstPage: 1,
  defaultSize: 20,
  maxSize: 100,
  overMaxSize: 'refuse',
  pastEnd: 'refuse',
  negativeKeepsAbsent: true,
  ignoreCase: false,
  sortIgnoresCase: false,
  absentFirst: false,
  orValues: ['or', 'OR', 'Or'],
  andValues: ['and', 'AND', 'And'],
  textOrder: 'honor',
  unlistedField: 'refuse',
  omittedOnUpdate: 'keep',
  duplicates: 'refuse',
  requiredOnCreate: [],
  refusedNames: null,
  secondDelete: 'refuse',
  operationTypes: {
    create: 'create',
    update: 'update',
    updatebyid: 'update',
    delete: 'delete',
    deletebyid: 'delete',
    apply: 'create',
    clear: 'delete',
  },
  bulkMs: 40,
  ancRefusals: null,
  csrf: false,
  connections: null,
};
