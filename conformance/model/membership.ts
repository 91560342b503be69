import { NEGATIONS } from '../../lib/contract/list.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import type { FailureDetails } from '../../lib/records/conformance.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { nameMember } from '../kit/fields.ts';
import { heldIn, isNothing } from '../kit/list/value.ts';
import type { Book, Fields, Known } from './history.ts';
import type { ListFacts } from './list.ts';
import { matches, matchesAll } from './match.ts';
import { effectRequirement } from './member.ts';
import type { ListQuestion, ShownEntry, ShownList } from './observation.ts';
import { isShownAs } from './value.ts';

interface Wrong {
  readonly known: Known;
  readonly times: number;
  /** Whether it has to be there; undefined if that is open. */
  readonly wanted: boolean | undefined;
}

export interface Broken extends Wrong {
  readonly requirement: string;
  /** No write that went out while the list was read is a reason for it. */
  readonly isLost?: true;
  /** What is broken is the work of a write to another record. */
  readonly isNeighbor?: true;
  /** What all that is missing has in common, and nothing that is shown. */
  readonly onlyIf?: string;
  /** The list shows what was before a delete of the record, or before an update. */
  readonly state?: FailureDetails['state'];
}

/** Whether the list holds a record; undefined if readings differ or its state is not known. Source: "What the service does". */
function isListed(known: Known, fields: Fields, question: ListQuestion, facts: ListFacts): boolean | undefined {
  if (known.isLive === false) return false;
  const asked = facts.table[question.family] as Family;
  const told = matchesAll(asked, fields, question, facts);
  if (known.isLive === undefined) return told === false ? false : undefined;
  return told;
}

const NEGATIVE: ReadonlySet<string> = new Set(Object.values(NEGATIONS));

/** True if the list shows the record as before its last write. Negations alone say nothing of that: every value but one meets them. */
function isStale({ known, times }: Wrong, question: ListQuestion, facts: ListFacts): boolean {
  if (times > 0 && question.filters.every(({ operator }) => NEGATIVE.has(operator))) return false;
  return Object.entries(known.former).some(([member, [value]]) => {
    const before = { ...known.fields, [member]: value };
    return isListed(known, before, question, facts) === times > 0;
  });
}

interface Judged {
  readonly question: ListQuestion;
  readonly list: ShownList;
  readonly facts: ListFacts;
  readonly all: readonly Wrong[];
  readonly wrong: readonly Wrong[];
}

/** True if another question would have been answered with this: it decides of some record that is wrong, and contradicts none. */
function explains({ facts, all, wrong, list }: Judged, question: ListQuestion): boolean {
  const told = ({ known }: Wrong) => isListed(known, known.fields, question, facts);
  const isOpen = ({ times }: Wrong) => times === 0 && list.end !== 'whole';
  const isExplained = (each: Wrong) => (told(each) ?? each.times > 0) === each.times > 0 || isOpen(each);
  return wrong.some((each) => told(each) !== undefined) && all.every(isExplained);
}

/** The operand as it is if it is thought to end or to begin at a dot. */
function cutAtDots(filter: Filter): readonly Filter[] {
  const parts = filter.value.split('.');
  const ends = parts.length < 2 ? [] : [parts[0], parts.at(-1)];
  return ends.flatMap((value) => (value === undefined || value === '' ? [] : [{ ...filter, value }]));
}

/** The one filter that has to be wrong about each record that is shown and must not be; undefined if it may be another. */
function culprit({ question, facts, wrong }: Judged): Filter | undefined {
  const asked = facts.table[question.family] as Family;
  const told = (filter: Filter, { known }: Wrong) => matches(asked, known.fields, filter, facts);
  const wanted = question.join === 'or';
  const open = question.filters.filter((filter) => wrong.every((each) => told(filter, each) === wanted));
  return wrong.every((each) => each.wanted === wanted) && open.length === 1 ? open[0] : undefined;
}

/** The requirement of filters: of the join or the form if that explains all, else of the operator. Source: "List query parameters". */
function filterRequirement(judged: Judged): string {
  const { question } = judged;
  const { filters, join } = question;
  const [first] = filters;
  if (filters.length > 1) {
    if (explains(judged, { ...question, join: join === 'or' ? 'and' : 'or' })) return 'LST-FTYPE';
    const fewer = filters.flatMap((filter, at) => [[filter], filters.filter((_, index) => index !== at)]);
    if (fewer.some((some) => explains(judged, { ...question, filters: some }))) return 'LST-FILT';
    const lone = culprit(judged);
    // Which of them it is, fewer filters tell.
    return lone === undefined ? 'LST-FILT' : `FOP-${lone.operator}`;
  }
  if (first === undefined) return opRequirementId(question.family, 'list');
  // A filter that is wrong by itself is asked so too.
  if (join !== undefined) return 'LST-FTYPE';
  return cutAtDots(first).some((cut) => explains(judged, { ...question, filters: [cut] }))
    ? 'LST-FILT'
    : `FOP-${first.operator}`;
}

/** True for a list of several pages, or whose one page is full. */
export const isCut = ({ size }: ListQuestion, { pages }: ShownList): boolean =>
  pages.length > 1 || pages[0]?.length === size;

/** Requirement of the way from one page of a list to the next: by number, or by the link. Source: "List query parameters". */
export const wayRequirement = ({ paging }: ListQuestion): string => (paging === 'number' ? 'LST-PAGE' : 'LST-NEXT');

/** True if what is missing may be on a page that no link leads to: not if a list shows as many records as it says there are. */
const mayLosePages = (question: ListQuestion, list: ShownList): boolean =>
  isCut(question, list) && list.total !== list.pages.flat().length;

/** True if all that is wrong is missing, and the list counts it: then it is no filter that left it out. */
const isCounted = ({ wrong, list: { total, pages } }: Judged): boolean =>
  wrong.every(({ times }) => times === 0) && total === pages.flat().length + wrong.length;

/** A record that is missing from a list without filters. */
function missing({ known, ...rest }: Wrong, judged: Judged, latest: Known | undefined): Broken {
  const { question, list, facts, all } = judged;
  const home = facts.table[known.family] as Family;
  const isLatest = latest === known;
  const because = (requirement: string): Broken => ({ known, ...rest, requirement });
  if (question.family !== known.family) {
    const isOnce = all.some((each) => each.times > 0 && each.known.family === known.family);
    return because(isOnce && mayLosePages(question, list) ? 'LST-NEXT' : 'VIEW-PORTAL');
  }
  if (hasOp(home, 'apply'))
    return because(mayLosePages(question, list) && !isLatest ? wayRequirement(question) : 'SPC-ANC');
  const name = nameMember(home) ?? 'name';
  const isUnknown = ({ id, record }: ShownEntry) =>
    all.every((each) => each.known.id !== id) && isShownAs(record[name], known.fields[name], known.last.form);
  // It is there under an id that nobody was given.
  if (!isNothing(known.fields[name]) && list.pages.flat().some(isUnknown))
    return because(opRequirementId(question.family, 'list'));
  if (mayLosePages(question, list) || isCounted(judged)) return because(wayRequirement(question));
  if (latest?.last.kind === 'delete' && !isLatest && latest.family === known.family)
    return { ...because(effectRequirement(latest.last, home)), isNeighbor: true };
  return because(isLatest ? 'SVC-1' : opRequirementId(question.family, 'list'));
}

/** The requirement that was broken, which need not be the one that was asked for. */
function broken(judged: Judged, latest: Known | undefined): Broken | undefined {
  const { question, list, facts, wrong } = judged;
  const [first] = wrong;
  if (first === undefined) return undefined;
  const isByLink = question.paging !== 'number';
  // A record that was made moves others to a later page, where they come again; one that was changed may change places with another.
  const lacking = wrong.filter(({ known, wanted, times }) => wanted === true && times === 0 && known !== latest);
  const [lost] = lacking;
  if (lost !== undefined && facts.mayLack !== undefined && lacking.length > facts.mayLack)
    return { ...lost, requirement: wayRequirement(question), isLost: true };
  const twice = wrong.find(({ times }) => times > 1);
  // A record that no filter lets in, and others twice: a later page is one of another query.
  const isOther = isByLink && wrong.some(({ wanted, times }) => wanted === false && times > 0);
  if (twice !== undefined) return { ...twice, requirement: isOther ? 'LST-NEXT' : 'LST-PAGE' };
  const ghost = wrong.find(({ known }) => known.isLive === false);
  const home = facts.table[(ghost ?? first).known.family] as Family;
  if (ghost !== undefined)
    return { ...ghost, requirement: effectRequirement(ghost.known.last, home), state: 'deleted' };
  const asked = facts.table[question.family] as Family;
  const { sort } = question;
  // That a sorted list leaves out what has no value to sort by is not stated: it orders the whole list.
  const isUnsorted = ({ fields }: Known) => sort !== undefined && heldIn(asked, fields, sort.field) === undefined;
  const unsorted = wrong.find(({ known, times }) => times === 0 && isUnsorted(known));
  const isAll = judged.all.every((each) => each.wanted !== true || isUnsorted(each.known) === (each.times === 0));
  const onlyIf = isAll ? `the record was given no ${sort?.field}` : undefined;
  if (unsorted !== undefined) return { ...unsorted, requirement: 'LST-SORT', ...defined({ onlyIf }) };
  // What a view leaves out of another family hides nothing of the one that was written to.
  const own = wrong.find(({ known }) => known.family === latest?.family);
  if (question.filters.length === 0) return missing(own ?? first, judged, latest);
  const fresh = wrong.filter((each) => !isStale(each, question, facts));
  const [one] = fresh;
  if (one === undefined) return { ...first, requirement: 'SVC-1', state: 'former' };
  // Right on the first page and wrong on a later one: the way to it lost a filter.
  const isEarly = ({ known }: Wrong) => list.pages[0]?.some(({ id }) => id === known.id) === true;
  const extra = fresh.filter(({ times }) => times > 0);
  if (extra[0] !== undefined && isByLink && !extra.some(isEarly)) return { ...extra[0], requirement: 'LST-NEXT' };
  if (one.known === latest && hasOp(home, 'apply')) return { ...one, requirement: 'SPC-ANC' };
  const rest = { ...judged, wrong: fresh };
  return { ...one, requirement: isCounted(rest) ? wayRequirement(question) : filterRequirement(rest) };
}

/** True if the list is one that may hold the record: of its own family, or of a view of it. */
export const isOf = ({ family }: Known, asked: Family): boolean =>
  family === asked.name || asked.viewOf?.includes(family) === true;

function timesOf(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts): readonly Wrong[] {
  const asked = facts.table[question.family] as Family;
  const times = new Map<string, number>();
  for (const { id } of list.pages.flat()) times.set(id, (times.get(id) ?? 0) + 1);
  return [...book.values()]
    .filter((known) => isOf(known, asked))
    .map((known) => {
      const wanted = isListed(known, known.fields, question, facts);
      return { known, times: times.get(known.id) ?? 0, wanted };
    });
}

/** Known records that a list has to show, those that it must not, and whether some filters fit one of them and others do not: what gives a right answer its meaning. */
export function decided(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts) {
  const asked = facts.table[question.family] as Family;
  const all = timesOf(book, question, list, facts).filter(({ times }) => times > 0 || list.end === 'whole');
  const count = (wanted: boolean) => all.filter((each) => each.wanted === wanted).length;
  const isParted = ({ known }: Wrong) => {
    const told = known.isLive === true ? question.filters.map((one) => matches(asked, known.fields, one, facts)) : [];
    return told.includes(true) && told.includes(false);
  };
  return { shown: count(true), absent: count(false), isParted: question.filters.length > 1 && all.some(isParted) };
}

/** A known record that is in the list and must not be, or is not and must be, or is there twice. */
export function membership(book: Book, question: ListQuestion, list: ShownList, facts: ListFacts): Broken | undefined {
  const all = timesOf(book, question, list, facts);
  const wrong = all.filter((each) => {
    if (each.times > 1) return true;
    // A list that was not read to its end shows only what is in it.
    if (each.wanted === undefined || (each.times === 0 && list.end !== 'whole')) return false;
    return each.wanted !== each.times > 0;
  });
  return broken({ question, list, facts, all, wrong }, book.get(facts.latest ?? ''));
}
