import { type Family, fieldsOf } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { isServerFilled, nameMember, rangeOf, sentFields } from '../../../kit/fields.ts';
import { listFields } from '../../../kit/list/seeded-records.ts';
import { kindOf } from '../../../kit/list/value.ts';
import type { Values } from '../../../kit/values/values.ts';
import { denseTexts, LOOK_ALIKES, longText, plainText } from './texts.ts';

/** Plain records of a survey: with those of dense texts, and those of the list checks, more than a page of default size. */
const PLAIN = 11;
/** Records of a survey: the plain ones, those of dense texts, and one of the longest text. */
export const COUNT = PLAIN + denseTexts('').length + 1;
/** Numbers around the ends of what storage and comparison may have, and texts of digits within each other. */
const NUMBERS = [313, 3131, 1313, 13132, 14, 32766, 32769, 40000, 40001, 65518, 33001, 150, 8] as const;

/** Texts of a family that a write carries: the name first, pointers last. */
export function textMembers(family: Family): readonly string[] {
  const name = nameMember(family);
  const texts = sentFields(family, 'create')
    .filter(([member, { type, form }]) => type === 'string' && form === undefined && !isServerFilled(family, member))
    .map(([member]) => member);
  return [...texts].sort((a, b) => Number(b === name) - Number(a === name));
}

export const isPointer = (member: string): boolean => /Id$/.test(member);

/** Texts that lists are filtered or sorted by and that no table of a body shows: a target may store them or not. */
function unlistedTexts(family: Family): readonly string[] {
  const members = listFields(family)
    .filter((field) => kindOf(family, field) === 'text')
    .map((field) => memberOf(family.name, field));
  return [...new Set(members)].filter((member) => !(member in fieldsOf(family)));
}

/** One way to ask for a record. */
interface Form {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Without the texts of names and pointers that a target may refuse. */
  readonly isPlain: boolean;
}

/** What the n-th record is to hold, in forms that are tried in turn: plain ones first, so that dense ones lie beyond the first page. */
export function wantedOf(values: Values, family: Family, start: string, index: number): readonly Form[] {
  const name = nameMember(family) ?? 'name';
  const plainName = `${start}${index.toString(36)}`;
  const [dense, turn] = [denseTexts(''), index - PLAIN];
  const textOf = (member: string, at: number): string => {
    const own = member === name || isPointer(member) ? start : '';
    if (turn < 0)
      return own === '' && index < LOOK_ALIKES.length
        ? (LOOK_ALIKES[index] ?? '')
        : own === '' && index === LOOK_ALIKES.length
          ? `${plainText(3).slice(0, -1)}%7Az`
          : `${own}${plainText((index * (at + 1) + at * 5) % PLAIN)}`;
    if (turn >= dense.length) return longText(own);
    return denseTexts(own)[(turn * (at + 1) + at * 2) % dense.length] ?? '';
  };
  const [listed, unlisted] = [textMembers(family), unlistedTexts(family)];
  const takenOf = (member: string, at: number): string => {
    const text = textOf(member, at);
    // Names have to differ: a part of one may be that of another record.
    if (member === name) return values.takes(member, text, family.name) ? text : plainName;
    return values.adapt(member, text, family.name);
  };
  const entries = [...listed, ...unlisted].map((member, at): [string, string] => [member, takenOf(member, at)]);
  const isPlain = !values.takes(name, dense[0] ?? '', family.name);
  const texts = Object.fromEntries(entries.slice(0, listed.length));
  const others = Object.fromEntries(
    Object.entries(fieldsOf(family)).flatMap(([member, field]): [string, unknown][] => {
      if (rangeOf(field) !== undefined && NUMBERS[index - 1] !== undefined) return [[member, NUMBERS[index - 1]]];
      return field.type === 'boolean' && !isServerFilled(family, member) ? [[member, index % 2 === 0]] : [];
    }),
  );
  const samples = values.samples((index % 2) as 0 | 1, family.name);
  const composite = Object.fromEntries(
    Object.entries(samples).filter(([member, value]) => typeof value === 'object' && !isServerFilled(family, member)),
  );
  const fields = { ...texts, ...others, ...composite };
  const free = Object.fromEntries(Object.entries(texts).filter(([member]) => member !== name && !isPointer(member)));
  const plainer = { ...free, ...composite, [name]: plainName };
  return [
    ...(unlisted.length > 0 ? [{ fields: { ...fields, ...Object.fromEntries(entries) }, isPlain }] : []),
    { fields, isPlain },
    { fields: plainer, isPlain: true },
  ];
}
