import type { Family, FieldType } from '../../../lib/contract/types.ts';
import { present } from '../../../lib/present.ts';
import { enumeratedMembers, nameMember, textMember } from '../../kit/fields.ts';
import { listedValues } from '../../kit/list/value.ts';
import { AFTER } from '../../kit/text-words.ts';
import type { Row } from './factors.ts';

/** Signs that deployments have been seen to take for something else, those together that come together in a text: the last is one that queries do. */
const TOGETHER: readonly Readonly<Record<string, string>>[] = [
  // Two blanks, so that a run of them that becomes one shows.
  { blank: '  ', comma: ',', percent: '%' },
  { angle: '<', slash: '/', star: '*' },
  { 'line break': '\n', tab: '\t', backslash: '\\', underscore: '_' },
  // Of a pattern, a bracket is the beginning of a part that never ends.
  { composed: 'é', apostrophe: "'", bracket: '(', exclamation: '!', plus: '+' },
  { supplementary: '😀', quote: '"', question: '?', semicolon: ';', ampersand: '&' },
  // An operator's name where a triplet may be cut.
  { dot: '.', 'operator in dots': '.GT.' },
  // Takes three bytes: a text of it has a character across each block of bytes.
  { wide: '語' },
];
export const SIGNS: Readonly<Record<string, string>> = Object.assign({ letters: '' }, ...TOGETHER);

/** All signs in one text, for questions that tell each by itself apart; but dots, as a filter may be refused for what parts its triplet. */
export const DENSE = 'dense';
const DENSE_TEXT = `+*_-&; "'<  ,/\\(!?\né語😀%`;
/** True if a text of the level holds a dot. */
export const isDotted = (level: string): boolean => markOf(level).includes('.');

const AND = ' + ';

export const signsOf = (level: string): readonly string[] => level.split(AND);

/** Levels of signs, those alone that the texts may hold: several come together, and what shows a difference is tried with each alone. */
export function signLevels(isTaken: (sign: string) => boolean): readonly string[] {
  const taken = (signs: (typeof TOGETHER)[number]) => Object.keys(signs).filter((sign) => isTaken(signs[sign] ?? ''));
  const levels = TOGETHER.map((signs) => taken(signs).join(AND));
  return ['letters', ...levels.filter((level) => level !== '')];
}

/** What a level of signs puts into a text. */
export const markOf = (level: string): string => {
  const marks = signsOf(level).map((sign) => SIGNS[sign] ?? '');
  return level === DENSE ? DENSE_TEXT : marks.join('');
};

/** Signs that queries take for patterns. */
export const WILD: readonly string[] = ['percent', 'underscore', 'star'];

/** Texts that look like something else. */
export const MEANINGS: Readonly<Record<string, string>> = {
  none: '',
  number: '4711',
  'led by zeros': '0017',
  // What reads it as a truth value writes another, in XML too.
  truth: 'True',
  null: 'null',
  // What reads it as a time writes another zone, or none.
  date: '2024-05-06T07:08:09+02:00',
  operator: 'name.EQ.plain',
  join: 'one OR two',
  capitals: 'UPPER',
};

/** Lengths of a text: a sign of several bytes lies across powers of two, in characters and in bytes. */
export const LENGTHS = ['plain', 'one', 'empty', 'left out', '64', '255', '256', '1024', '4096'] as const;

/** Numbers of a member with a range: its bounds, one to be generated, and around powers of two. */
export const NUMBERS = ['any', 'low', 'high', 'generated', '255', '256', '32767', '32768'] as const;

/** The value of a member that lists its values, if the row does not say: the one that creates of the family have. */
const USUAL = 'usual';

const MOST_LISTED = 12;

/** Levels of a listed value, by the values of the first member that lists them. */
export const listedLevels = (values: readonly string[]): readonly string[] => [USUAL, ...values.slice(0, MOST_LISTED)];

export const listedMembers = (
  family: Family,
): readonly { readonly member: string; readonly values: readonly string[] }[] =>
  enumeratedMembers(family).map((member) => ({ member, values: listedValues(family, member) ?? [] }));

/** The listed value of a member in a row; undefined if it is the usual one. */
export function listedValue(family: Family, member: string, { 'listed value': level = USUAL }: Row) {
  if (level === USUAL) return undefined;
  const listed = listedMembers(family);
  const values = listed.find((each) => each.member === member)?.values ?? [];
  // The levels are the values of the first member: another one has its own at that place.
  return values[(listed[0]?.values.indexOf(level) ?? 0) % values.length];
}

/** What a member with an object or a list for a value holds: lists hold many items, and free texts of objects those of the row. */
export const nestedLevels = (isOf: (kind: 'object' | 'object[]') => boolean): readonly string[] =>
  present('sample', 'left out', 'empty', 'another', isOf('object[]') && 'many', isOf('object') && 'texts');

/** Levels that give a member no value, by the type of the member. */
export const LEFT_OUT: readonly (readonly [factor: string, level: string, holds: (type: FieldType) => boolean])[] = [
  ['nested', 'left out', (type) => type === 'object' || type === 'object[]'],
  ['number', 'any', (type) => typeof type === 'object' && 'range' in type],
  ['listed value', USUAL, (type) => typeof type === 'object' && 'oneOf' in type],
];

/** A text of the row: a fresh word, the sign inside it, and the length that is asked for. */
export function textOf(
  word: string,
  { sign = 'letters', length = 'plain', meaning = 'none' }: Readonly<Record<string, string>>,
): string {
  if (meaning !== 'none') return MEANINGS[meaning] ?? '';
  if (length === 'empty' || length === 'left out') return '';
  if (length === 'one') return 'x';
  const mark = markOf(sign);
  const after = mark === '' ? 'b' : AFTER;
  const wanted = Number(length);
  if (!Number.isFinite(wanted)) return `${word}${mark}${after}`;
  // A sign of several bytes begins right before the end of a block; with any other, the text fills the block.
  const isLong = Buffer.byteLength(mark) > mark.length;
  const before = isLong ? wanted - 1 : wanted - mark.length - after.length;
  return `${word.padEnd(before, sign === 'wide' ? mark : 'l')}${mark}${after}`;
}

/** Factors that say what a text is, and those that ask for one field. */
export const TEXTUAL: readonly string[] = ['sign', 'length', 'meaning'];
export const ASKING: readonly string[] = ['field', 'operator', 'operand', 'criteria', 'join'];

const SHORT: ReadonlySet<string> = new Set(['empty', 'left out', 'one']);

/** True if a family has a text besides its name: then the name may hold one level, and that text another. */
export const hasText = (family: Family): boolean => textMember(family) !== nameMember(family);

/** True if the name holds the row's sign and length, or is also given in other families, and the other text holds the rest. */
export const isParted = ({ meaning = 'none', sign = 'letters', length = 'plain', elsewhere = 'none' }: Row): boolean =>
  meaning !== 'none' && (sign !== 'letters' || length !== 'plain' || elsewhere !== 'none');

/** True if the text holds the row's level of the factor: the name, or the other text. */
function holds(row: Row, factor: string, isName: boolean): boolean {
  const { meaning = 'none', sign = 'letters', length = 'plain' } = row;
  if (factor === 'meaning') return meaning === 'none' || !isName || !isParted(row);
  if (factor === 'length') return length === 'plain' || (isName ? !SHORT.has(length) : meaning === 'none');
  return sign === 'letters' || isName || (meaning === 'none' && !SHORT.has(length));
}

/** True if a row shows two levels together: a question to one field shows what that field holds, and nothing else. */
export function isTogether(family: Family, row: Row, one: string, other: string): boolean {
  const textual = [one, other].find((factor) => TEXTUAL.includes(factor));
  const asking = [one, other].find((factor) => ASKING.includes(factor) || factor === 'sort');
  if (textual === undefined || asking === undefined) return true;
  const field = asking === 'sort' ? row['sort']?.split(' ')[0] : row['field'];
  const name = nameMember(family);
  if (field === undefined || ![name, 'name', textMember(family)].includes(field)) return true;
  return holds(row, textual, field !== textMember(family) || !hasText(family));
}
