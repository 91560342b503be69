import { type Family, type FamilyTable, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { defined } from '../../../lib/defined.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { type NumberRange, nameMember, rangeOf } from '../../kit/fields.ts';
import { AFTER } from '../../kit/text-words.ts';
import type { Fields } from '../../model/history.ts';
import { type Carried, type Likeness, type Look, type Name, PLAIN, type Query } from '../../steps/step.ts';
import type { Row } from './factors.ts';
import { changeable } from './family-facts.ts';
import { isParted, listedValue, markOf, textOf } from './values.ts';

export interface Setting {
  readonly table: FamilyTable;
  readonly family: Family;
  /** Values for every member that may be set; the two turns differ. */
  readonly samples: (turn: 0 | 1) => Fields;
  /** A word that no other row has, of small letters. */
  readonly word: string;
}

/** A number of a member with a range; other rows have others, as they have to differ within a family. */
function numberOf(level: string, { low, high, or }: NumberRange): number | undefined {
  if (level === 'low') return low;
  if (level === 'high') return high;
  if (level === 'generated') return or[0];
  return level === 'any' ? undefined : Number(level);
}

/** Whose values: those of the row's levels, those of the record beside it, or plain texts beside the row's other levels. */
type Values = 'subject' | 'second' | 'plain';

/** Members with values. `isLater`: a later write gives the level; until then, a truth value is the other one, and a list is longer. */
export function valuesOf(
  { table, family, samples, word }: Setting,
  row: Row,
  which: Values,
  sampleTurn: 0 | 1,
  isLater: (member: string) => boolean = () => false,
): Fields {
  const name = nameMember(family);
  const base = samples(sampleTurn);
  const otherOf = (member: string) => samples(sampleTurn === 0 ? 1 : 0)[member];
  const mark = markOf(row['sign'] ?? 'letters');
  const text = which === 'plain' ? `${word}${sampleTurn === 0 ? 'p' : 'u'}` : textOf(word, row);
  // The second record differs in the last sign alone.
  const other = `${[...mark].slice(0, -1).join('')}7`;
  const isMarked = mark !== '' && text.includes(mark);
  const shown = which !== 'second' ? text : isMarked ? text.replaceAll(mark, other) : `${text.slice(0, -1)}c`;
  const inner = which === 'second' ? shown : textOf(word, row);
  const entries = changeable(table, family).flatMap((member): [string, unknown][] => {
    const { type } = fieldsOf(family)[member] ?? { type: 'string' };
    const range = rangeOf({ type });
    if (type === 'string' && member !== name) return [[member, shown]];
    if (isLater(member) && type === 'boolean') return [[member, row['flag'] === 'false']];
    if (isLater(member) && type === 'object[]' && (row['nested'] ?? 'sample') === 'sample')
      return [[member, nested('many', base[member], samples(1)[member], type, inner)]];
    // The other value of the later write is that of this turn.
    if (isLater(member) && row['nested'] === 'another' && (type === 'object' || type === 'object[]'))
      return [[member, otherOf(member)]];
    if (isLater(member) && row['nested'] === 'texts' && type === 'object')
      return [[member, withText(base[member], `${word}i`)]];
    if (which === 'second' || isLater(member)) return range !== undefined ? [] : [[member, base[member]]];
    if (type === 'boolean') return [[member, row['flag'] !== 'false']];
    if (typeof type === 'object' && 'oneOf' in type) return [[member, listedValue(family, member, row)]];
    if (range !== undefined) {
      const value = numberOf(row['number'] ?? 'any', range);
      return value === undefined ? [] : [[member, value]];
    }
    if (type === 'object' || type === 'object[]')
      return [[member, nested(row['nested'] ?? 'sample', base[member], otherOf(member), type, inner)]];
    return [[member, base[member]]];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Inner members that hold any text, by what published definitions call them. *Implied*: no inner structure is stated. */
const FREE_TEXT = /(title|text|label|message|description)$/i;

const isBase64Text = (value: string): boolean =>
  Buffer.from(value, 'base64').toString('base64') === value &&
  /^[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString());

/** A value with another text in each inner member that holds a free one, plain or as Base64. */
export function withText(value: unknown, text: string, member = ''): unknown {
  if (typeof value === 'string' && text !== '') {
    if (FREE_TEXT.test(member)) return text;
    return member === 'value' && isBase64Text(value) ? Buffer.from(text).toString('base64') : value;
  }
  if (Array.isArray(value)) return value.map((item) => withText(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withText(inner, text, key)]));
}

/** Items, and again as many under other names: two fit where three may not. */
function manyOf(items: readonly unknown[]): readonly unknown[] {
  const renamed = (turn: number) => (item: unknown) =>
    isObject(item) && typeof item['name'] === 'string' ? [{ ...item, name: `${item['name']}-${turn}` }] : [];
  return [...items, ...[2, 3, 4].flatMap((turn) => items.flatMap(renamed(turn)))];
}

function nested(level: string, sample: unknown, other: unknown, type: 'object' | 'object[]', text: string): unknown {
  if (level === 'left out' || sample === undefined) return undefined;
  if (level === 'empty') return type === 'object[]' ? [] : {};
  if (level === 'another') return other ?? sample;
  if (level === 'texts') return withText(sample, text);
  if (level === 'many' && Array.isArray(sample) && Array.isArray(other)) return manyOf([...sample, ...other]);
  return sample;
}

export const onlyTexts = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));

/** Texts beside the name that a create may leave out. */
export const optionalTexts = ({ table, family }: Setting): readonly string[] =>
  changeable(table, family).filter((member) => {
    const isRequired = vendorFacts(family.name).requiredOnCreate?.includes(member) === true;
    return fieldsOf(family)[member]?.type === 'string' && !isRequired;
  });

/** True if the record beside the subject is made before it, so that the name of the subject is like that of the other. */
export const isElder = (row: Row): boolean => row['older'] === 'second' && (row['second record'] ?? 'none') !== 'none';

/** The name that the row asks for by itself: fresh, with the row's sign and length, or one that looks like something else. */
export const ownName = (row: Row): Name =>
  (row['meaning'] ?? 'none') === 'none' || isParted(row) ? { fresh: ending(row) } : { like: row['meaning'] as string };

export const nameOf = (row: Row): Name =>
  isElder(row) ? { of: 'second', as: row['second record'] as Likeness } : ownName(row);

/** The name of a record of a bulk request: as the row says, unless it could be made once only. */
export const bulkName = (row: Row): Name => {
  const name = ownName(row);
  return 'fresh' in name ? name : { fresh: '' };
};

const ending = (row: Row): string => {
  const { sign = 'letters', length = 'plain' } = row;
  const mark = sign === 'letters' ? '' : `${markOf(sign)}${AFTER}`;
  const room: Readonly<Record<string, number>> = { '64': 30, '255': 200, '1024': 1010 };
  return mark.padEnd(room[length] ?? 0, 'z');
};

const CARRIED: Readonly<Record<string, Partial<Carried>>> = {
  plain: {},
  charset: { type: 'charset' },
  'media type': { mediaType: true },
  csrf: { csrf: true },
  parameter: { extra: true },
  everything: { mediaType: true, csrf: true, extra: true },
  'no accept': { accept: 'none' },
  'xml answer': { accept: 'xml' },
  'no type': { type: 'none' },
};

/** What requests may carry, the plainest first. */
export const REQUESTS: readonly string[] = Object.keys(CARRIED);

export const BETWEEN: Readonly<Record<string, 'update' | 'create'>> = {
  'between pages': 'update',
  'made between pages': 'create',
};

/** A look at a list: sorted, cut into pages and sent as the row says. */
export function listLook(
  row: Row,
  {
    on,
    about,
    ...asked
  }: { readonly on: 'own' | 'view'; readonly about: string } & Pick<Query, 'criteria' | 'join' | 'pages'>,
): Look {
  const { sort = 'none', size = '20', paging = 'link' } = row;
  const [field, direction] = sort.split(' ');
  const query: Query = {
    ...asked,
    ...(sort === 'none' || field === undefined ? {} : { sort: { field, descending: direction === 'desc' } }),
    ...(size === 'left out' ? {} : { size: Number(size) }),
    paging: paging as 'link' | 'number',
  };
  const between = BETWEEN[row['looks'] ?? ''];
  return { window: 'list', on, about, query, carried: carried(row['look request']), ...defined({ between }) };
}

export const carried = (level: string | undefined): Carried => ({ ...PLAIN, ...CARRIED[level ?? 'plain'] });
