import type { Row } from './factors.ts';
import { BETWEEN } from './row-values.ts';

const a = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;

const CLAUSES: Readonly<Record<string, (level: string) => string>> = {
  write: (level) => `the write is ${a(level)}`,
  before: (level) => `the record was ${level} before`,
  refused: (level) => `${a(level)} was refused before`,
  'why refused': (level) => `it was refused for: ${level}`,
  'second record': (level) => `there is a second record (${level})`,
  older: (level) => `the older of the two is the ${level}`,
  others: (level) => `another record was ${level}`,
  whose: (level) => `that one belongs to the family that is ${level}`,
  form: (level) => `the body is in ${level.toUpperCase()}`,
  request: (level) => `the write carries: ${level}`,
  beside: (level) => `${level} ran at the same time`,
  sign: (level) => `a text holds: ${level}`,
  length: (level) => `a text is of length: ${level}`,
  meaning: (level) => `a text looks like ${a(level)}`,
  number: (level) => `the number is ${level}`,
  flag: (level) => `the truth value is ${level}`,
  'listed value': (level) => `the listed value is ${level}`,
  nested: (level) => `nested members are ${level}`,
  population: (level) => `there are ${level} records`,
  observer: (level) => `it is looked at by ${level}`,
  operation: (level) => `the request is: ${level}`,
  policy: (level) => `the policy is the ${level}`,
  endpoints: (level) => `it names endpoints: ${level}`,
  spelling: (level) => `the address is spelled ${level}`,
  by: (level) => `endpoints are named by ${level.toUpperCase()} address`,
  'refused when': (level) => `that was ${level} the request`,
  bulk: (level) => `a bulk request is sent: ${level}`,
  field: (level) => `the list is filtered by ${level}`,
  operator: (level) => `the operator is ${level}`,
  operand: (level) => `the operand is ${level}`,
  criteria: (level) => `there are criteria: ${level}`,
  'second field': (level) => `the other filter is on ${level}`,
  join: (level) => `filterType is ${level}`,
  sort: (level) => `the list is sorted by ${level}`,
  size: (level) => `size is ${level}`,
  paging: (level) => `pages are asked for by ${level}`,
  'look request': (level) => `the look carries: ${level}`,
  'first look': (level) => `it was read in ${level.toUpperCase()} before`,
  elsewhere: (level) => `records of the same name in other families were ${level}`,
  afterwards: (level) => `the record is ${level} afterwards`,
  looks: (level) =>
    BETWEEN[level] === undefined
      ? (LOOKS[level] ?? `the look comes ${level}`)
      : `a record is ${BETWEEN[level] === 'create' ? 'made' : 'written'} between two pages`,
};

const LOOKS: Readonly<Record<string, string>> = {
  twice: 'the same is asked for twice',
  'before too': 'the same was asked for before the write',
  'other connection': 'it is asked for over several connections at one time',
};

/** What still shows a difference, "only if the record was renamed before, and the list is sorted by name asc"; empty if the plainest row shows it. */
export function conditionText(row: Row): string {
  const clauses = Object.entries(row).map(([factor, level]) => CLAUSES[factor]?.(level) ?? `${factor} is ${level}`);
  if (clauses.length === 0) return '';
  return `only if ${clauses.length === 1 ? clauses[0] : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`}`;
}
