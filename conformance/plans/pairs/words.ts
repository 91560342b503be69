import type { Op } from '../../../lib/contract/types.ts';
import type { Row } from './factors.ts';
import { BETWEEN } from './row-values.ts';

const a = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
const and = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

type Words = Readonly<Record<string, string>>;

/** What a request carries, by level. */
const CARRIED: Words = {
  charset: 'a charset in Content-Type',
  'no type': 'no Content-Type',
  'no accept': 'no Accept',
  'xml answer': 'Accept: application/xml',
  'media type': 'ERS-Media-Type',
  csrf: 'X-CSRF-TOKEN',
  parameter: 'an extra query parameter',
  everything: 'ERS-Media-Type, X-CSRF-TOKEN and an extra query parameter',
};

/** What became of a record, or of an endpoint, before the write that the row is about. */
const PASTS: Words = {
  updated: 'the record was updated',
  'updated twice': 'the record was updated twice',
  renamed: 'the record was renamed',
  'renamed in case': 'the record was given its own name in other case',
  'renamed and updated': 'the record was renamed and then updated',
  'updated after a refusal': 'the record was updated after an update that was refused',
  'asked for by another create': 'another create had asked for the name of the record',
  'made in bulk': 'the record was created in bulk',
  'made with an id': 'the record was created with an id in the body',
  'made by XML': 'the record was created in XML',
  'named like a deleted one': 'the record has the name of one that was deleted',
  'applied twice': 'the endpoint was given the policy twice before',
  changed: 'the endpoint had another policy before',
  cleared: 'the endpoint was cleared before',
  'cleared twice': 'the endpoint was cleared twice before',
};

const WRITES: Words = {
  update: 'the record is updated',
  'update of texts': 'the texts of the record are updated',
  rename: 'the record is renamed',
  'rename in case': 'the record is given its own name in other case',
  delete: 'the record is deleted',
  'bulk create': 'the records are created in bulk',
  'bulk update': 'the records are updated in bulk',
  'bulk delete': 'the records are deleted in bulk',
};

const WHY_REFUSED: Words = {
  taken: 'its name was taken',
  'out of bounds': 'a number was out of bounds',
  'wrong member': 'a member had a value of the wrong type',
  'other root': 'its root key was that of another resource',
  broken: 'its body was cut off',
  gone: 'the record was deleted',
  unknown: 'the id was unknown',
  'by view': 'it was sent to a view',
  'unknown field': 'its filter named an unknown field',
  'unknown operator': 'its filter named an unknown operator',
};

const SECOND: Words = {
  'one sign': 'a second record has a name that differs in one character',
  'other case': 'a second record has the same name in other case',
  'goes on': 'a second record has a longer name with the same beginning',
  'long beginning': 'a second record has a name with the same long beginning',
  'one word': 'a second record has a name with a word in common',
};

const OTHERS: Words = {
  applied: 'another endpoint is given a policy',
  cleared: 'another endpoint is cleared',
  changed: 'another endpoint is given another policy',
};

const WHOSE: Words = {
  sibling: 'that record is in another resource of the same view',
  referred: 'that record is in the resource that this one refers to',
  refers: 'that record is in a resource that refers to this one',
  unrelated: 'that record is in an unrelated resource',
};

const SIGN_WORDS: Words = {
  blank: 'a blank',
  angle: 'an angle bracket',
  composed: 'an accented letter',
  supplementary: 'an emoji',
  wide: 'a Chinese character',
  'operator in dots': 'the name of an operator between dots',
};

const LENGTHS: Words = { one: 'one character long', empty: 'empty', 'left out': 'left out' };

const MEANINGS: Words = {
  number: 'is a number',
  'led by zeros': 'is a number with leading zeros',
  truth: 'is "True"',
  null: 'is "null"',
  operator: 'reads like a filter',
  join: 'holds the word OR',
  capitals: 'is in capitals',
};

const NUMBERS: Words = { low: 'the smallest allowed', high: 'the largest allowed', generated: 'left to the server' };

const NESTED: Words = {
  'left out': 'a nested member is left out',
  empty: 'a nested member is empty',
  another: 'a nested member has another value',
  many: 'a list in the body has more than one item',
};

const OBSERVERS: Words = {
  xml: 'the record is read in XML',
  read: 'the record is read by its id',
  pages: 'the list is read page by page',
  'view list': 'the list of the view is read',
  'by name': 'the record is read by its name',
};

const OPERATIONS: Words = {
  'apply over another': 'the endpoint holds another policy already',
  'apply again': 'the endpoint holds the policy already',
  clear: 'the request is a clear',
  'clear naming the policy': 'the clear names the policy too',
};

const OPERANDS: Words = {
  start: 'the start of the value',
  middle: 'the middle of the value',
  end: 'the end of the value',
  'other case': 'the value in other case',
  'other form': 'the value written in another way',
  former: 'the value from before the last update',
  'of nobody': 'a value that no record has',
  zero: '0',
  negative: 'negative',
  beyond: 'beyond the range',
  wrapped: 'the value plus 2^31',
  octal: 'the value in octal',
};

const CRITERIA: Words = {
  'two on one field': 'the same filter is given twice',
  'two values': 'there are two filters on one field',
  two: 'there are two filters on different fields',
  three: 'there are three filters',
};

const LOOKS: Words = {
  twice: 'the same request is sent twice',
  'before too': 'the same request was sent before the write',
  'other connection': 'several connections are used at one time',
};

const CLAUSES: Readonly<Record<string, (level: string) => string>> = {
  write: (level) => WRITES[level] ?? `${level.replace('update ', '')} is updated`,
  before: (level) => PASTS[level] ?? `the record was ${level}`,
  refused: (level) => `${a(level)} was refused before`,
  'why refused': (level) => `that was refused because ${WHY_REFUSED[level] ?? level}`,
  'second record': (level) => SECOND[level] ?? 'there is a second record',
  older: () => 'the second record is the older one',
  others: (level) => OTHERS[level] ?? `another record is ${level}`,
  whose: (level) => WHOSE[level] ?? `that record is in ${level}`,
  form: (level) => `the body is ${level.toUpperCase()}`,
  request: (level) => `the write is sent with ${CARRIED[level] ?? level}`,
  beside: (level) => `it is sent at the same time as ${level === 'a write' ? 'another write' : level}`,
  sign: (level) => `a text holds ${and(level.split(' + ').map((each) => SIGN_WORDS[each] ?? a(each)))}`,
  length: (level) => `a text is ${LENGTHS[level] ?? `${level} characters long`}`,
  meaning: (level) => `a text ${MEANINGS[level] ?? `is ${level}`}`,
  number: (level) => `the number is ${NUMBERS[level] ?? level}`,
  flag: (level) => `the boolean is ${level}`,
  'listed value': (level) => `the value is ${level}`,
  nested: (level) => NESTED[level] ?? level,
  population: (level) => `there are ${level} records`,
  observer: (level) => OBSERVERS[level] ?? level,
  operation: (level) => OPERATIONS[level] ?? `the request is ${a(level)}`,
  policy: () => 'the policy is not the first one of the run',
  endpoints: (level) => `one request names ${level} endpoints`,
  spelling: () => 'the MAC address is written in other case',
  by: (level) => `the endpoint is named by its ${level.toUpperCase()} address`,
  endpoint: () => 'the endpoint was cleared before',
  'refused when': (level) => `that came ${level} the request`,
  bulk: (level) => `a bulk request ${level} is sent`,
  field: (level) => `the filter is on ${level}`,
  operator: (level) => `the operator is ${level}`,
  operand: (level) => `the operand is ${OPERANDS[level] ?? level}`,
  criteria: (level) => CRITERIA[level] ?? level,
  'second field': (level) => `the other filter is on ${level}`,
  join: (level) => `filterType is ${level}`,
  sort: (level) => `the list is sorted by ${level}`,
  size: (level) => (level === 'left out' ? 'size is left out' : `size is ${level}`),
  paging: (level) => `pages are asked for by ${level}`,
  'look request': (level) => `the list or the record is asked for with ${CARRIED[level] ?? level}`,
  'first look': (level) => `it was read in ${level.toUpperCase()} before`,
  elsewhere: (level) => `records of the same name in other resources were ${level}`,
  afterwards: (level) => `the record is ${level} afterwards`,
  looks: (level) =>
    BETWEEN[level] === undefined
      ? (LOOKS[level] ?? level)
      : `a record is ${BETWEEN[level] === 'create' ? 'created' : 'updated'} between two pages`,
};

/** What two levels of a factor have in common, which is all that matters if each shows the difference. */
const IN_COMMON: Readonly<Record<string, (levels: readonly string[]) => string | undefined>> = {
  'second record': () => 'there is a second record',
  criteria: () => 'there is more than one filter',
  before: (levels) =>
    levels.every((level) => /^(updated|renamed)/.test(level)) ? 'the record was updated' : undefined,
  write: (levels) => (levels.every((level) => /^(update|rename)/.test(level)) ? 'the record is updated' : undefined),
};

/** Between two levels that both show a difference. */
export const EITHER = ' or ';

function clauseOf(factor: string, level: string): string {
  const levels = level.split(EITHER);
  const common = levels.length > 1 ? IN_COMMON[factor]?.(levels) : undefined;
  return common ?? levels.map((each) => CLAUSES[factor]?.(each) ?? `${factor} is ${each}`).join(', or ');
}

/** Clauses that say no more than which operation is at fault. */
const SAID: Readonly<Partial<Record<Op, RegExp>>> = {
  update: /^the record (?:is|was) updated$/,
  delete: /^the record is deleted$/,
  bulkSubmit: /^the records are \w+ in bulk$/,
  clear: /^the request is a clear$/,
};

/**
 * What still shows a difference, "only if the record was renamed, and the list is sorted by name asc"; empty if the plainest row shows it.
 * `operation`: the one at fault, which is said elsewhere.
 */
export function conditionText(row: Row, operation?: Op): string {
  const said = operation && SAID[operation];
  const clauses = Object.entries(row)
    .map(([factor, level]) =>
      // Without a second record there is one item.
      factor === 'second record' && row['write'] === 'bulk delete'
        ? 'the request names two records'
        : clauseOf(factor, level),
    )
    .filter((clause) => said?.test(clause) !== true);
  if (clauses.length === 0) return '';
  return `only if ${clauses.length === 1 ? clauses[0] : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`}`;
}
