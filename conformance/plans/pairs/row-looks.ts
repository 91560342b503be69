import type { Operator } from '../../../lib/contract/list.ts';
import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { viewOf } from '../../kit/fields.ts';
import type { Criterion, Part, Query, Step, Steps } from '../../steps/step.ts';
import { look, read, readByName, readInView, together } from '../make.ts';
import type { Row } from './factors.ts';
import { carried, listLook, type Setting } from './row-values.ts';

/** Criteria beside the first; what those on other fields ask for is chosen by the records there are. */
const MORE: Readonly<Record<string, (first: Criterion, row: Row) => readonly Criterion[]>> = {
  two: ({ field }, row) => [other(field, row['second field'])],
  three: ({ field }) => [other(field), other(field)],
  'two values': (first) => [{ ...first, of: BYSTANDER }],
  'two on one field': (first) => [first],
};

function criteriaOf(row: Row): Pick<Query, 'criteria' | 'join'> | undefined {
  const { field, operator, operand = 'whole', criteria = 'one', join = 'left out' } = row;
  if (field === undefined || operator === undefined) return undefined;
  const first: Criterion = { field, operator: operator as Operator, part: operand as Part };
  return {
    criteria: [first, ...(MORE[criteria]?.(first, row) ?? [])],
    ...(join === 'left out' ? {} : { join: join === 'OR' ? 'or' : 'and' }),
  };
}

/** A further criterion: on the field that is named, or on any. */
export const other = (field: string, second?: string): Criterion => ({
  ...{ field: second ?? `not ${field}`, operator: 'EQ', part: 'whole', isOpen: true },
});

/** Pages that a view may come to before it is asked for the records of the run alone: it shows those of several families. */
const VIEW_PAGES = 6;

const whole = (on: 'own' | 'view', sort = 'none'): Step =>
  look(
    listLook(
      { sort, size: '100' },
      { on, about: 'subject', criteria: [], ...(on === 'view' ? { pages: VIEW_PAGES } : {}) },
    ),
  );

/** The list of everything in the family. */
export const WHOLE: Step = whole('own');

/** The same, sorted as the row says; nothing if it does not say. */
export const sorted = ({ sort = 'none' }: Row): Steps => (sort === 'none' ? [] : [whole('own', sort)]);

/** The operand with which an operator parts the records: whole values, unless its name says which part of a text it looks at. */
export function partingOperand(operator: string): Part {
  const parts = { STARTSW: 'start', ENDSW: 'end', CONTAINS: 'middle' } as const;
  return Object.entries(parts).find(([ending]) => operator.endsWith(ending))?.[1] ?? 'whole';
}

/** The row's own question to a list, and one that parts the records if that may match all or none: else other factors show nothing. */
export function asked(row: Row, about: string, on: 'own' | 'view' = 'own'): Steps {
  // A list without filters is sorted, cut into pages and sent in all these ways too.
  const criteria = criteriaOf(row) ?? (row['paging'] === undefined ? undefined : { criteria: [] });
  if (criteria === undefined) return [];
  const parting = partingOperand(row['operator'] ?? '');
  const again = [undefined, 'whole', parting].includes(row['operand'])
    ? []
    : asked({ ...row, operand: parting }, about, on);
  return [look(listLook(row, { on, about, ...criteria }), row['looks'] === 'twice'), ...again];
}

/** A read of the subject in the view that shows its family; nothing if there is none. */
export const inView = ({ table, family }: Setting, row: Row): Steps =>
  viewOf(table, family.name) === undefined ? [] : [readInView('subject', carried(row['look request']))];

/** What a view shows of the subject: it is read, in the list of everything, and the answer to the row's question. */
export function viewed(setting: Setting, row: Row): Steps {
  const seen = inView(setting, row);
  return seen.length === 0 ? [] : [...seen, whole('view'), ...asked({ ...row, looks: 'once' }, 'subject', 'view')];
}

const bothRead = (family: Family | undefined): Steps =>
  [BYSTANDER, '#0'].flatMap((who) => [
    read(who),
    ...(family !== undefined && hasOp(family, 'readByName') ? [readByName(who)] : []),
  ]);

/** The row's own question to a list, before and after the write, and what it looks at besides. */
export function looks(row: Row, family?: Family): Readonly<Record<'before' | 'after' | 'first' | 'observed', Steps>> {
  const level = row['looks'] ?? 'once';
  const once = asked(row, 'subject');
  const seen = { before: level === 'before too' ? once : [], ...observed(row, family) };
  // Requests at one time go over several connections, one of them another than that of the write.
  if (level === 'other connection' && once.length > 0)
    return { ...seen, after: [together(...bothRead(family), ...once)] };
  // A list that is kept for those who ask again shows by the question itself, whatever the write changed of its operand.
  const repeated = seen.before
    .slice(-1)
    .flatMap((each) =>
      each.step === 'look' && each.look.window === 'list' ? look({ ...each.look, again: true }) : [],
    );
  return { ...seen, after: [...repeated, ...once] };
}

interface Observer {
  readonly isIn: (table: FamilyTable, family: Family) => boolean;
  readonly looks?: (row: Row, family: Family | undefined) => Steps;
  /** True if it looks before the write as well: what is kept for those who ask again shows by the very request. */
  readonly isTwice?: true;
}

const isViewed: Observer['isIn'] = (table, { name }) => viewOf(table, name) !== undefined;

const list = (on: 'own' | 'view', row: Row): Step => look(listLook(row, { on, about: 'subject', criteria: [] }));

const OBSERVERS: Readonly<Record<string, Observer>> = {
  entry: {
    isIn: () => true,
    // A plain read comes with every row.
    looks: (row, family) =>
      (row['look request'] ?? 'plain') === 'plain' || family === undefined || !hasOp(family, 'read')
        ? []
        : [read('subject', 'json', carried(row['look request']))],
  },
  xml: {
    ...{ isIn: (_, family) => hasOp(family, 'read'), isTwice: true },
    looks: (row) => [read('subject', 'xml', carried(row['look request']))],
  },
  pages: { isIn: () => true, looks: (row) => [list('own', row)] },
  'view list': { isIn: isViewed, looks: (row) => [list('view', row)] },
  'by name': {
    ...{ isIn: (_, family) => hasOp(family, 'readByName'), isTwice: true },
    // Two records: one answer for all names shows.
    looks: () => ['subject', BYSTANDER].map(readByName),
  },
};

export const observersOf = (table: FamilyTable, family: Family): readonly string[] =>
  Object.entries(OBSERVERS).flatMap(([name, { isIn }]) => (isIn(table, family) ? [name] : []));

/** What the row looks at besides the subject and the list of everything, before the write and after it. */
function observed(row: Row, family: Family | undefined): Readonly<Record<'first' | 'observed', Steps>> {
  const { looks = () => [], isTwice } = OBSERVERS[row['observer'] ?? 'entry'] ?? {};
  const seen = looks(row, family);
  return { first: isTwice && row['write'] !== 'create' ? seen : [], observed: seen };
}
