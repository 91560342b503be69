/** Section "List query parameters". */
export const LIST_PARAMETERS = {
  page: { type: 'integer', meaning: 'page number' },
  size: { type: 'integer', meaning: 'number of objects returned per page' },
  sortasc: { type: 'string', meaning: 'field to sort ascending' },
  sortdsc: { type: 'string', meaning: 'field to sort descending' },
  filter: { type: 'string', repeats: true, meaning: 'field, operator and value separated by dots' },
  filterType: { type: 'string', meaning: 'logical operator common to all filters; AND unless the value is or' },
} as const;

/** The ten filter operators with their meaning: section "List query parameters". */
export const OPERATORS = {
  EQ: 'equals',
  NEQ: 'does not equal',
  GT: 'is greater than',
  LT: 'is less than',
  STARTSW: 'starts with',
  NSTARTSW: 'does not start with',
  ENDSW: 'ends with',
  NENDSW: 'does not end with',
  CONTAINS: 'contains',
  NCONTAINS: 'does not contain',
} as const;

export type Operator = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

/** Operators that compare whole values; the others look at parts of what is written. */
export const COMPARING: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'LT'];

/** Each operator that has a negation, with it; the pair partitions the records that have the field. */
export const NEGATIONS: Readonly<Partial<Record<Operator, Operator>>> = {
  EQ: 'NEQ',
  STARTSW: 'NSTARTSW',
  ENDSW: 'NENDSW',
  CONTAINS: 'NCONTAINS',
};

/** The value that switches `filterType` from its default AND, as the specification spells it. */
export const FILTER_TYPE_OR = 'or';

/** Envelope of a list answer: last paragraph of "List query parameters". */
export const LIST_ENVELOPE = { root: 'SearchResult', items: 'resources', next: 'nextPage', href: 'href' } as const;
