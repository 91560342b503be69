import type { Exchange } from '../../lib/client/types.ts';
import { present } from '../../lib/present.ts';
import { WHOLE_SIZE } from '../driver/plainest-look.ts';
import { and, BEYOND_ASCII, LONG, SHORT, signsIn, textWords, valueWords } from '../kit/text-words.ts';
import { type Threshold, thresholdWords } from '../kit/threshold.ts';
import type { Fields } from '../model/history.ts';
import type { Carried, Likeness, Name, Part, Query, Step } from '../steps/step.ts';
import { type Bounds, commonOf, isLong } from './bounds.ts';

export const a = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
export const LIKE: Readonly<Record<Likeness, string>> = {
  same: 'the same name',
  'other case': 'the same name in other case',
  'one sign': 'a name that differs in one character',
  'goes on': 'a longer name with the same beginning',
  'long beginning': 'a name with the same long beginning',
  'one word': 'a name with a word in common',
};

export const WHY_REFUSED: Readonly<Record<string, string>> = {
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

/** Operands that the request does not show to be what they are. */
export const PARTS: Readonly<Partial<Record<Part, string>>> = {
  'other case': 'the value in other case',
  'other form': 'the value written in another way',
  former: 'the value from before the last update',
  wrapped: 'the value plus 2^32',
  octal: 'the value in octal',
};

/** What a request carries that a plain one does not. */
export function carriedWords({ type, accept, mediaType, csrf, extra }: Carried): readonly string[] {
  const types = { charset: 'a charset in Content-Type', none: 'no Content-Type', text: 'Content-Type: text/plain' };
  return present(
    type !== 'plain' && types[type],
    accept !== 'json' && (accept === 'none' ? 'no Accept' : 'Accept: application/xml'),
    mediaType && 'ERS-Media-Type',
    csrf && 'X-CSRF-TOKEN',
    extra && 'an extra query parameter',
  );
}

export function nameWords(name: Name | undefined, bound?: Threshold | typeof BEYOND_ASCII): readonly string[] {
  if (name === undefined || 'of' in name) return [];
  if (bound === BEYOND_ASCII) return valueWords('its name', '', bound);
  if ('like' in name) return [`its name looks like ${a(name.like)}`];
  if (bound !== undefined && name.fresh.length >= SHORT)
    return [`its name is ${thresholdWords(bound)} characters long`];
  if (name.fresh.length > LONG) return ['its name is long'];
  const words = name.fresh === '' ? undefined : textWords(name.fresh);
  return words === undefined ? [] : [`its name ${words.replace(/^is/, 'ends in')}`];
}

/** What an apply had about it, in a clause of what comes later. */
export const APPLIED: Readonly<Record<string, string>> = {
  'by IP address': 'the policy was applied by IP address',
  several: 'the apply named several endpoints',
  'other case': 'the apply named the MAC address in other case',
  'policy first': 'the apply named the policy before the address',
  'over another': 'the policy was applied over another one',
};

export const BETWEEN = {
  create: 'a record is created between two pages',
  update: 'a record is updated between two pages',
} as const;

export interface About {
  readonly main: string;
  /** The step at fault: what it does is said elsewhere, and how it does so is not. */
  readonly blamed: Step | undefined;
  /** Member that the difference is about: its values are said elsewhere. */
  readonly member: string | undefined;
  /** Filters of the list that shows the difference, as it was asked for; undefined if its refusal is told by its request. */
  readonly filters: number | undefined;
  /** False if the list that shows the difference was asked for without a sort. */
  readonly isSorted: boolean;
  /** Field and operand of the one filter that shows the difference. */
  readonly asked?: { readonly field: string; readonly operand: string } | undefined;
  /** What the difference is about: what is said already. */
  readonly subject: string;
  /** Labels that other steps write to, or take a name from. */
  readonly named: ReadonlySet<string>;
  readonly bounds: Bounds;
  /** What the writes of the sequence give to members. */
  readonly sets: readonly Fields[];
  /** True if a record is what shows the difference. */
  readonly isOfRecord: boolean;
  /** Labels of records that were deleted, and whose names others were given. */
  readonly gone: ReadonlySet<string>;
}

/** Filters in a query. */
export const FILTER = /[?&]filter=/g;
export const SORT = /[?&]sort/;

export const OPERAND = 'the operand';

/** True if the operand of the filter has the signs of a value: then it is the operand that the filter takes for something else. */
export const isAskedFor = ({ asked }: About, field: string, value: unknown): boolean => {
  const signs = typeof value === 'string' && asked?.field === field ? signsIn(value) : [];
  return signs.length > 0 && signs.every((sign) => asked?.operand.includes(sign));
};

/** True for a value that the request shows, and that any other may stand for: a plain text that the filter finds, or what two records hold. */
export const isExample = ({ asked, sets }: About, field: string, value: unknown): boolean => {
  if (asked?.field !== field || asked.operand === '') return false;
  if (typeof value === 'string') return /^[a-z0-9]{2,40}$/.test(value) && value.includes(asked.operand);
  return asked.operand === `${value}` && sets.filter((set) => set[field] === value).length > 1;
};

/** True for a long text of a member that begins as another one that the sequence writes there. */
export const isAlike = ({ sets }: About, member: string, text: unknown): boolean =>
  isLong(text) &&
  sets.some(({ [member]: other }) => isLong(other) && other !== text && commonOf([text, other]) >= SHORT);

/** What a list with one filter was asked for, if the difference is about that. */
export function askedBy(subject: string, { request }: Exchange): About['asked'] {
  const [, field] = /^filter (\w+)\./.exec(subject) ?? [];
  const sent = new URLSearchParams(request.path.split('?')[1]).get('filter') ?? '';
  return field === undefined ? undefined : { field, operand: sent.split('.').slice(2).join('.') };
}

/** Subject of a difference in how a list is cut into pages. */
export const PAGES = 'pages';

/** What of a query matters to a difference that a list shows. */
export function queryWords(
  { criteria, sort: sorting, join, size }: Query,
  { filters, subject, isSorted }: About,
): readonly string[] {
  const sort = isSorted ? sorting : undefined;
  const isOfPages = subject === PAGES;
  // What one filter shows by itself, those that were joined to it say nothing of.
  const own = criteria.filter(({ field, operator }) => subject === `filter ${field}.${operator}`);
  const parts = (own.length === 0 ? criteria : own).flatMap(({ part }) =>
    isOfPages || PARTS[part] === undefined ? [] : [`the operand is ${PARTS[part]}`],
  );
  const holds = present(
    // What shows with more than two was tried with fewer.
    criteria.length > 0 && (['a filter', '2 filters'][criteria.length - 1] ?? `at least ${criteria.length} filters`),
    criteria.length > 1 && join && `filterType=${join}`,
    sort && 'a sort',
    // On such a page a list is looked at whole.
    size !== undefined && size !== WHOLE_SIZE && `size=${size}`,
  );
  // A filter that keeps a list short may be what matters; a sort beside it was kept because the difference does not show without.
  const isWhole = filters === criteria.length;
  const sorted = filters !== undefined && sort !== undefined && !subject.includes('sort') ? ['the list is sorted'] : [];
  // That two filters are joined, the subject says.
  const isSaid = subject.startsWith('filters') && criteria.length === 2 && sort === undefined && size === undefined;
  const isPlain = isSaid || (holds.length < 2 && criteria.length < 3);
  const isTold = isWhole && !isPlain;
  // Filters are joined by AND without it too, and one filter is joined to none.
  const isJoin = (subject === 'filters and' && join === 'and' && !isTold) || criteria.length === 1;
  const joined = isJoin && join !== undefined ? [`filterType says ${join.toUpperCase()}`] : [];
  return [...(isTold ? [`the query holds ${and(holds)}`] : isWhole ? [] : sorted), ...joined, ...parts];
}
