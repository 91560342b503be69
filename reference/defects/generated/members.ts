import {
  type Family,
  type FamilyTable,
  type Field,
  type FieldType,
  fieldsOf,
  isNumber,
} from '../../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../../lib/contract/vendor.ts';
import { defined } from '../../../lib/defined.ts';
import type { Fields } from '../../seams.ts';
import { sameValue } from '../../store/store.ts';
import type { Hit, Occasion, Watch } from './watch.ts';

/** A member that clients write, so that what is shown can be compared with it. */
export interface Member {
  readonly family: string;
  readonly name: string;
  readonly type: FieldType;
  /** The form or the length that its values have is known: nothing that others may hold. */
  readonly confined: Pick<Field, 'form' | 'limits'>;
}

/** Members that both a create and an update carry and that no deployment fills by itself. */
export function writtenMembers(table: FamilyTable, on: 'create' | 'update'): readonly Member[] {
  return Object.entries(table).flatMap(([family, row]) =>
    row.ops.includes(on)
      ? Object.entries(fieldsOf(row))
          .filter(([name, { sentOn }]) => sentOn === undefined && !vendorFacts(family).serverFilled?.includes(name))
          .map(([name, { type, form, limits }]) => ({ family, name, type, confined: defined({ form, limits }) }))
      : [],
  );
}

/** True for a family with one free text: there is no other to be mistaken for it. */
export function isOnlyText(table: FamilyTable, family: string): boolean {
  const row = table[family];
  return (
    row !== undefined &&
    Object.entries(fieldsOf(row)).filter(([name, { type }]) => name !== 'id' && isText(type)).length < 2
  );
}

export const typeOf = (family: Family | undefined, member: string): FieldType =>
  fieldsOf(family)[member]?.type ?? 'string';

/** True for a member whose texts may hold any sign: no address, and no id. */
export const isFreeText = (family: Family | undefined, member: string): boolean =>
  isText(typeOf(family, member)) && fieldsOf(family)[member]?.form === undefined;

/** Tells fields of queries that a member holds; a definition may publish others, and of those no record shows what is right. */
export const isHeld =
  (row: Family) =>
  (field: string): boolean => {
    const fields = fieldsOf(row);
    return row.imported === undefined || memberOf(row.name, field) in fields || field in fields;
  };

export const isText = (type: FieldType): boolean => type === 'string';
export const isComposite = (type: FieldType): boolean => type === 'object' || type === 'object[]';

interface Around {
  readonly record: Fields;
  /** The value before the last update. */
  readonly before: unknown;
}

export interface Spoiling {
  readonly id: string;
  readonly title: string;
  readonly fits: (type: FieldType) => boolean;
  /** Classes of texts in which the mistake can show; every class where absent. */
  readonly classes: readonly string[];
  readonly spoil: (value: unknown, around: Around) => unknown;
}

const ANY = ['digits', 'boolean-like', 'double-blank', 'beyond-ascii', 'quotes', 'markup', 'percent', 'dots'] as const;

const ofText = (
  title: string,
  classes: readonly string[],
  change: (value: string) => string,
): Omit<Spoiling, 'id'> => ({
  ...{ title, classes, fits: isText },
  spoil: (value) => (typeof value === 'string' ? change(value) : value),
});

function halved(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, -1);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).slice(0, -1));
}

/** What can happen to an address or an id: it holds no character that the others would change, and is never long. */
const TO_FORMS: ReadonlySet<string> = new Set(['lost', 'swapped', 'defaulted', 'kept']);

export const canSpoil = (
  { id, fits }: Spoiling,
  { type, confined: { form, limits } }: Omit<Member, 'family' | 'name'>,
) =>
  fits(type) &&
  (!isText(type) || form === undefined || TO_FORMS.has(id)) &&
  (!isText(type) || limits === undefined || limits[1] > Number(/^cut-(\d+)$/.exec(id)?.[1] ?? 0));

const cut = (length: number) =>
  ofText(`cut to ${length} characters`, length >= 255 ? [] : ['long'], (value) => value.slice(0, length));

const DEFAULTS: Readonly<Record<string, unknown>> = { string: 'default', number: 2, boolean: false };

/** What can happen to a value between a request and an answer. Blanks at its ends may be lost: that they count is stated nowhere. */
const BY_ID: Readonly<Record<string, Omit<Spoiling, 'id'>>> = {
  lost: { title: 'lost', fits: () => true, classes: [...ANY, 'long'], spoil: () => undefined },
  'half-lost': { title: 'without its last item', fits: isComposite, classes: [], spoil: halved },
  'cut-48': cut(48),
  'cut-255': cut(255),
  'cut-1000': cut(1000),
  squeezed: ofText('with runs of blanks made one', ['double-blank'], (value) => value.replace(/ {2,}/g, ' ')),
  recased: ofText('in small letters', ['capitals', 'beyond-ascii', 'operator-like'], (value) => value.toLowerCase()),
  retyped: {
    title: 'as a value of another type',
    fits: (type) => isNumber(type) || type === 'boolean',
    classes: [],
    spoil: (value) => (value === undefined ? value : String(value)),
  },
  'number-like': ofText('taken for a number where it looks like one', ['digits'], (value) =>
    /^\d{1,15}$/.test(value) ? String(Number(value)) : value,
  ),
  'boolean-like': ofText('taken for a boolean or for nothing where it looks like one', ['boolean-like'], (value) =>
    VALUE_WORDS.test(value) ? (/^(true|yes)$/i.test(value) ? 'true' : '') : value,
  ),
  swapped: {
    title: 'as another member holds it',
    fits: (type) => isText(type) || isNumber(type) || type === 'boolean',
    classes: ['digits', 'dots', 'quotes', 'long'],
    spoil: (value, { record }) => swapped(value, record),
  },
  defaulted: {
    title: 'as a default',
    fits: () => true,
    classes: ['digits', 'percent', 'markup', 'beyond-ascii', 'long'],
    spoil: (value) => DEFAULTS[typeof value],
  },
  kept: {
    title: 'as it was before',
    fits: () => true,
    classes: ['long', 'digits', 'beyond-ascii', 'markup'],
    spoil: (value, { before }) => before ?? value,
  },
  'twice-html': ofText('escaped twice as markup', ['markup', 'quotes'], (value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  'twice-utf8': ofText('encoded twice as UTF-8', ['beyond-ascii', 'surrogates'], (value) =>
    // UTF-8 bytes read as Latin-1, as a second encoding leaves them.
    Buffer.from(value, 'utf8').toString('latin1'),
  ),
  decoded: ofText('with percent signs and plus signs decoded', ['percent'], (value) =>
    value
      .replaceAll('+', ' ')
      .replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
  ),
  unpaired: ofText('without characters beyond the first plane', ['surrogates'], (value) =>
    value.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  ),
};
export const SPOILINGS: Readonly<Record<string, Spoiling>> = Object.fromEntries(
  Object.entries(BY_ID).map(([id, spoiling]) => [id, { id, ...spoiling }]),
);

const VALUE_WORDS = /^(true|false|null|yes|no)$/i;

function swapped(value: unknown, record: Fields): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value > 1000 ? value - 1 : value + 1;
  const other = Object.entries(record).find(
    ([member, held]) => member !== 'id' && typeof held === 'string' && held !== value && !/Type$|Url$/.test(member),
  );
  return other?.[1] ?? value;
}

/** What a mistake makes of a value, where its trigger holds; counts whether that makes a difference. */
export function spoiled(
  watch: Watch,
  hit: Hit,
  occasion: Occasion,
  value: unknown,
  spoil: (value: unknown) => unknown,
): unknown {
  if (!hit(occasion)) return value;
  const other = spoil(value);
  if (!sameValue(other, value)) watch.exposure.changed += 1;
  return other;
}

/** The fields with one of them replaced; left out where it became nothing. */
export function withMember(fields: Fields, member: string, value: unknown): Fields {
  if (value !== undefined) return { ...fields, [member]: value };
  const { [member]: _gone, ...rest } = fields;
  return rest;
}
