import { opRequirementId } from '../../lib/contract/requirements.ts';
import type { Family, FamilyTable } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { kindOf, type Value, valueIn } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Subject } from '../kit/subject.ts';
import type { Difference } from './difference.ts';
import type { Book, Fields, Known } from './history.ts';
import { type Comparing, isPlainlyOrdered, matchesAll } from './match.ts';
import type { ListQuestion, ShownEntry, ShownList } from './observation.ts';
import { judgeEntry } from './record.ts';

/** What the judge of a list may know besides the records. */
export interface ListFacts extends Comparing {
  readonly table: FamilyTable;
  /** Policy that was given to an endpoint, by its MAC address in capitals; undefined for one that was taken off. */
  readonly policies?: ReadonlyMap<string, string | undefined>;
  /** Largest page that the target gives, as far as it was seen; undefined if nobody found out. */
  readonly largestPage: number | undefined;
  /** Key of the record that was written last. */
  readonly latest?: string | undefined;
}

/** What a list question is about, in the words of causes. */
export function subjectOf({ filters, join, sort }: ListQuestion): Subject {
  const [filter] = filters;
  if (filters.length > 1) return `filters ${join ?? 'and'}`;
  if (filter !== undefined) return `filter ${filter.field}.${filter.operator}`;
  return sort === undefined ? 'list' : `sort ${sort.field}.${sort.descending ? 'desc' : 'asc'}`;
}

/** The question as people write it. */
export function listText({ filters, join, sort, size }: ListQuestion): string {
  const parts = [
    ...filters.map(({ field, operator, value }) => `filter=${field}.${operator}.${value}`),
    ...(join === undefined ? [] : [`filterType=${join}`]),
    ...(sort === undefined ? [] : [`${sort.descending ? 'sortdsc' : 'sortasc'}=${sort.field}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
  ];
  return (parts.join('&') || 'the plain list').slice(0, 300);
}

/** True if the list is one that may hold the record: of its own family, or of a view of it. */
const isOf = ({ family }: Known, asked: Family): boolean =>
  family === asked.name || asked.viewOf?.includes(family) === true;

/** Whether the list holds a record; undefined if readings differ or its state is not known. */
export function isListed(known: Known, fields: Fields, question: ListQuestion, facts: ListFacts): boolean | undefined {
  const asked = facts.table[question.family] as Family;
  const told = matchesAll(asked, fields, question, facts);
  if (known.isLive === undefined) return told === false ? false : undefined;
  return known.isLive ? told : false;
}

/** True if the list shows the record as it was before the last write to a member that the filters look at. */
function isStale(known: Known, isShown: boolean, question: ListQuestion, facts: ListFacts): boolean {
  if (!known.isLive) return isShown;
  const before = Object.entries(known.former).flatMap(([member, values]) =>
    values.slice(0, 1).map((value) => ({ ...known.fields, [member]: value })),
  );
  return before.some((fields) => isListed(known, fields, question, facts) === isShown);
}

interface Wrong {
  readonly known: Known;
  readonly times: number;
  readonly wanted: boolean;
}

/** Requirement that a record in the list too often, or not at all, breaks: the one that was broken, not the one that was asked for. */
function membershipRequirement(
  { known, times, wanted }: Wrong,
  question: ListQuestion,
  { pages }: ShownList,
  facts: ListFacts,
): string {
  const { filters } = question;
  if (times > 1) return 'LST-PAGE';
  const isView = known.family !== question.family;
  if (filters.length === 0) {
    if (isView) return 'VIEW-PORTAL';
    if (!known.isLive) return opRequirementId(known.family, 'delete');
    if (pages.length > 1) return 'LST-PAGE';
    return facts.latest === `${known.family}/${known.id}` ? 'SVC-1' : opRequirementId(question.family, 'list');
  }
  if (isStale(known, times > 0, question, facts)) return 'SVC-1';
  // Right on the first page and wrong on a later one: the way to it lost a criterion.
  if (!wanted && pages.length > 1 && pages[0]?.some(({ id }) => id === known.id) === false) return 'LST-NEXT';
  if (filters.length > 1) return 'LST-FTYPE';
  return `FOP-${filters[0]?.operator}`;
}

/** A known record that is in the list and must not be, or is not and must be, or is there twice. */
function membership(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts): Difference | undefined {
  const asked = facts.table[question.family] as Family;
  const entries = list.pages.flat();
  for (const known of book.values()) {
    if (!isOf(known, asked)) continue;
    const wanted = isListed(known, known.fields, question, facts);
    const times = entries.filter(({ id }) => id === known.id).length;
    const isRight = times < 2 && (wanted === undefined || times === (wanted ? 1 : 0));
    // A list that was not read to its end shows only what is in it.
    if (isRight || (list.end !== 'whole' && times === 0)) continue;
    const wrong = { known, times, wanted: wanted === true };
    return {
      requirement: membershipRequirement(wrong, question, list, facts),
      about: { kind: 'records', operation: 'list', subject: times > 1 ? 'pages' : subjectOf(question) },
      family: question.family,
      expected: `${wanted === false ? 'not ' : ''}the record ${known.id} (${shown(known.fields)}) in ${listText(question)}`,
      observed:
        times === 0
          ? `not among ${entries.length}`
          : times === 1
            ? `among ${entries.length}`
            : `${times} times among ${entries.length}`,
    };
  }
  return undefined;
}

/** A page that holds more than was asked for, or fewer with another page behind it. Source: "List query parameters", size. */
function pageSize(
  { size, family }: ListQuestion,
  { pages }: ShownList,
  { largestPage }: ListFacts,
): Difference | undefined {
  if (size === undefined) return undefined;
  const wrong = pages.findIndex((entries, at) =>
    at === pages.length - 1 || (largestPage !== undefined && size > largestPage)
      ? entries.length > size
      : entries.length !== size,
  );
  if (wrong < 0) return undefined;
  return {
    requirement: 'LST-SIZE',
    about: { kind: 'value', operation: 'list', subject: 'pages' },
    family,
    expected: `${size} records on a page`,
    observed: `${pages[wrong]?.length} on page ${wrong + 1} of ${pages.length}`,
  };
}

/** Two known records that are the wrong way round in any collation. Source: "List query parameters", sortasc and sortdsc. */
function sortOrder(
  book: Book,
  { sort, family }: ListQuestion,
  { pages }: ShownList,
  { table }: ListFacts,
): Difference | undefined {
  if (sort === undefined) return undefined;
  const asked = table[family] as Family;
  const member = memberOf(family, sort.field);
  const kind = kindOf(asked, sort.field);
  const known = new Map([...book.values()].filter((each) => isOf(each, asked)).map((each) => [each.id, each]));
  const values = pages.flat().flatMap(({ id }): Value[] => {
    const value = valueIn(known.get(id)?.fields ?? {}, member, kind);
    return value === undefined || kind === 'boolean' ? [] : [value];
  });
  const isBefore = (one: Value, other: Value) =>
    typeof one === 'number' ? one < Number(other) : isPlainlyOrdered(one as string, other as string) && one < other;
  // Any two of them, not neighbors alone: between them may stand one whose place is open.
  for (const [at, value] of values.entries()) {
    const later = values
      .slice(at + 1)
      .find((other) => (sort.descending ? isBefore(value, other) : isBefore(other, value)));
    if (later === undefined) continue;
    return {
      requirement: 'LST-SORT',
      about: { kind: 'value', operation: 'list', subject: `sort ${sort.field}.${sort.descending ? 'desc' : 'asc'}` },
      family,
      expected: `${sort.descending ? 'sortdsc' : 'sortasc'}=${sort.field} in the order of the values`,
      observed: `${shown(value)} before ${shown(later)}`,
    };
  }
  return undefined;
}

/** An entry of a known record whose link leads to another one. Source: "List query parameters", the envelope. */
function linkFault(known: Known, { href }: ShownEntry, family: string): Difference | undefined {
  const last = href?.split(/[?#]/)[0]?.split('/').at(-1);
  if (last === undefined || last === '' || decodeURIComponent(last) === known.id) return undefined;
  return {
    requirement: 'LST-ENV',
    about: { kind: 'value', operation: 'list', subject: 'links' },
    family,
    expected: `a link to the record ${known.id} in its entry`,
    observed: shown(href),
  };
}

/** What entries of known records show, and where their links lead. */
function entries(
  book: Book,
  question: ListQuestion,
  { pages }: ShownList,
  { table }: ListFacts,
): Difference | undefined {
  const asked = table[question.family] as Family;
  const known = new Map([...book.values()].filter((each) => isOf(each, asked)).map((each) => [each.id, each]));
  for (const entry of pages.flat()) {
    const one = known.get(entry.id);
    if (one?.isLive !== true) continue;
    const found =
      judgeEntry(one, entry.record, asked, table[one.family] as Family) ?? linkFault(one, entry, question.family);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Judges a list: its pages, its records, what its entries show, and its order; the first difference by weight. */
export function judgeList(
  book: Book,
  question: ListQuestion,
  list: ShownList,
  facts: ListFacts,
): Difference | undefined {
  if (list.end === 'loop')
    return {
      requirement: 'LST-NEXT',
      about: { kind: 'value', operation: 'list', subject: 'pages' },
      family: question.family,
      expected: `pages that come to an end: ${listText(question)}`,
      observed: `a link that leads back, after ${list.pages.length} pages`,
    };
  if (list.end === 'refused' && list.pages.length > 0)
    return {
      requirement: 'LST-NEXT',
      about: { kind: 'refused', operation: 'list', subject: 'pages' },
      family: question.family,
      expected: `every page that is named to be given: ${listText(question)}`,
      observed: `status ${list.status} for page ${list.pages.length + 1}`,
    };
  return (
    pageSize(question, list, facts) ??
    membership(book, question, list, facts) ??
    entries(book, question, list, facts) ??
    sortOrder(book, question, list, facts)
  );
}
