import type { Family, FamilyTable } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { counted } from '../../lib/text.ts';
import { IN_PASSING, isForbidden } from '../../lib/wire/answer.ts';
import { nameMember } from '../kit/fields.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { AncWrite, Holdings } from './anc.ts';
import type { Difference } from './difference.ts';
import { type Book, type Known, keyOf, type Write } from './history.ts';
import type { Comparing } from './match.ts';
import { effectRequirement } from './member.ts';
import { isOf, membership } from './membership.ts';
import { type ListQuestion, listText, type ShownEntry, type ShownList, subjectOf } from './observation.ts';
import { sortOrder } from './order.ts';
import { judgeEntry, linkFault } from './record.ts';

/** What the judge of a list may know besides the records. */
export interface ListFacts extends Comparing {
  readonly table: FamilyTable;
  /** Records on the largest page that the target was seen to give; undefined if none was seen. What it was asked for is no witness. */
  readonly largestPage: number | undefined;
  /** Members of the family that a read showed as off or zero: an answer that lacks one of them has lost it. */
  readonly shownOff?: readonly string[] | undefined;
  readonly latest?: string | undefined;
  readonly writes?: readonly Write[] | undefined;
  /** Records besides the one written last that a list may lack for what was written while it was read; absent: nobody can tell. */
  readonly mayLack?: number | undefined;
  readonly holdings?: Holdings | undefined;
  /** Endpoints that requests named since the last look, as digits, and all applies and clears. */
  readonly named?: ReadonlySet<string> | undefined;
  readonly applies?: readonly AncWrite[] | undefined;
  /** True for a link that leads nowhere, while others of its family lead to their records; absent: nobody can tell. */
  readonly isDead?: ((family: string, link: Pick<ShownEntry, 'id' | 'href'>) => boolean) | undefined;
  /** True for an entry that only this run can have made, and no request of it that is still to be answered; absent: nobody can tell. */
  readonly isOurs?: ((entry: ShownEntry) => boolean) | undefined;
}

/** The members of a record that a list is about: its name and what the query asks for; all if it holds none of these. */
function toldOf({ fields, family: home }: Known, { family, filters, sort }: ListQuestion, { table }: ListFacts) {
  const asked = [...filters, ...(sort === undefined ? [] : [sort])].map(({ field }) => memberOf(family, field));
  const members = [nameMember(table[home] as Family) ?? 'name', ...asked];
  const told = Object.entries(fields).filter(([member]) => members.includes(member));
  return told.length === 0 ? fields : Object.fromEntries(told);
}

function records(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts): Difference | undefined {
  const found = membership(book, question, list, facts);
  if (found === undefined) return undefined;
  const { known, times, wanted, requirement, isNeighbor, isLost, state, onlyIf } = found;
  const total = list.pages.flat().length;
  const record = `the record ${shown(toldOf(known, question, facts))} (${known.id})`;
  return {
    requirement,
    about: {
      kind: 'records',
      operation: 'list',
      subject: isNeighbor ? 'other records' : times > 1 ? 'pages' : subjectOf(question),
      ...defined({ record: known.id, times, state }),
    },
    // A view leaves out a record of one family: others that it shows have done no wrong.
    family: known.family,
    expected: wanted === false ? `${listText(question)} without ${record}` : `${record} in ${listText(question)}`,
    observed: `${times === 0 ? 'not ' : times === 1 ? '' : `${times} times `}${total === 1 ? 'the one record' : `among the ${counted(total, 'record')}`} shown`,
    record: keyOf(known.family, known.id),
    ...defined({ isLost, onlyIf }),
  };
}

/** A record that is there as if the run had made it, and that no write was answered with: the last write made it, if that was to the family. */
function stray(
  known: ReadonlyMap<string, Known>,
  latest: Known | undefined,
  family: string,
  shownEntries: readonly ShownEntry[],
  { isOurs, table }: ListFacts,
): Difference | undefined {
  const found = isOurs && shownEntries.find((entry) => !known.has(entry.id) && isOurs(entry));
  if (found === undefined || latest === undefined) return undefined;
  return {
    requirement: known.has(latest.id) ? effectRequirement(latest.last, table[latest.family] as Family) : 'SVC-1',
    about: { kind: 'records', operation: 'list', subject: 'other records' },
    family,
    expected: 'no record of the run beside those that it made',
    observed: shown(found.record),
    record: keyOf(family, found.id),
  };
}

/** What entries of known records show, and where their links lead. */
function entries(
  known: ReadonlyMap<string, Known>,
  family: string,
  all: readonly ShownEntry[],
  { table, writes, isDead }: ListFacts,
): Difference | undefined {
  const ids = new Set([...known.keys(), ...all.map(({ id }) => id)]);
  const at = { operation: 'list', requirement: 'LIST-GET', family, isDead } as const;
  for (const entry of all) {
    const one = known.get(entry.id);
    if (one === undefined || one.isLive === false) continue;
    const [asked, home] = [table[family] as Family, table[one.family] as Family];
    const found =
      judgeEntry(one, entry.record, asked, home, writes) ?? linkFault(one, entry.href, at, (id) => ids.has(id));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Judges a list: its walk, its pages, its order, its records and what its entries show; the first difference by weight. */
export function judgeList(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts) {
  const asked = facts.table[question.family] as Family;
  const known = new Map([...book.values()].filter((each) => isOf(each, asked)).map((each) => [each.id, each]));
  const all = list.pages.flat();
  return (
    walkFault(question, list, facts.mayLack) ??
    pageSize(question, list, facts.largestPage) ??
    sortOrder(known, question, list, asked) ??
    records(book, question, list, facts) ??
    (asked.viewOf === undefined ? twiceOnPage(question, list) : undefined) ??
    stray(known, book.get(facts.latest ?? ''), asked.name, all, facts) ??
    entries(known, asked.name, all, facts)
  );
}

const about = { kind: 'value', operation: 'list', subject: 'pages' } as const;

/** A walk without an end, that stays in place, or whose own link is refused. Source: "List query parameters", nextPage.href. */
function walkFault(
  question: ListQuestion,
  { end, pages, status }: ShownList,
  mayLack?: number | undefined,
): Difference | undefined {
  const { family } = question;
  if (end === 'loop')
    return {
      ...{ requirement: 'LST-NEXT', about, family },
      expected: `pages that come to an end: ${listText(question)}`,
      observed: `a link that leads back, after ${pages.length} pages`,
    };
  const [before, last] = pages.slice(-2).map((entries) => entries.map(({ id }) => id).join());
  if (end === 'length' && before !== '' && before === last)
    return {
      ...{ requirement: 'LST-PAGE', about, family },
      expected: `another page behind each page: ${listText(question)}`,
      observed: `the same records on page ${pages.length - 1} and page ${pages.length}`,
    };
  const isOfTarget = status !== undefined && !IN_PASSING.has(status) && !isForbidden({ status });
  if (end !== 'refused' || pages.length === 0 || !isOfTarget) return undefined;
  return {
    ...{ requirement: 'LST-NEXT', about: { ...about, kind: 'refused' }, family },
    expected: `a page behind the link of page ${pages.length}: ${listText(question)}`,
    observed: `status ${status}`,
    // A list that lost no record has all its pages.
    ...(mayLack === undefined ? {} : { isTimeless: true }),
  };
}

/** A page larger than its size, or smaller with records on one behind it. Source: "List query parameters", size. *Implied*: only the last is. */
function pageSize(
  { size, family, paging }: ListQuestion,
  { pages }: ShownList,
  largestPage: number | undefined,
): Difference | undefined {
  if (size === undefined) return undefined;
  const lengths = pages.map(({ length }) => length);
  const least = Math.min(size, Math.max(largestPage ?? 0, ...lengths));
  const wrong = lengths.findIndex(
    (length, at) => length > size || (length < least && at < lengths.findLastIndex(Boolean)),
  );
  if (wrong < 0) return undefined;
  return {
    // A first page of the right size, and a later one of another: the way to it lost the size.
    requirement: wrong === 0 || paging === 'number' ? 'LST-SIZE' : 'LST-NEXT',
    ...{ about: { ...about, page: wrong + 1 }, family },
    expected: `${counted(least, 'record')} on a page, for size=${size}`,
    observed: `${lengths[wrong]} on page ${wrong + 1} of ${pages.length}`,
  };
}

/** A record that one page shows twice. Source: "List query parameters": a page lists resources. In a view, families may share ids. */
function twiceOnPage(question: ListQuestion, { pages }: ShownList): Difference | undefined {
  for (const [at, page] of pages.entries()) {
    const ids = page.map(({ id }) => id).filter((id) => id !== '');
    const twice = ids.find((id, place) => ids.indexOf(id) < place);
    if (twice === undefined) continue;
    return {
      ...{ requirement: 'LST-PAGE', about: { ...about, kind: 'records', page: at + 1 }, family: question.family },
      expected: `each record once: ${listText(question)}`,
      observed: `${twice} ${ids.filter((id) => id === twice).length} times on page ${at + 1}`,
      isTimeless: true,
    };
  }
  return undefined;
}
