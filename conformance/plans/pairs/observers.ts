import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { viewOf } from '../../kit/fields.ts';
import type { Step } from '../../steps/step.ts';
import { look, read, readByName } from '../make.ts';
import type { Row } from './factors.ts';
import { carried, listLook } from './row-values.ts';

/** A way to look at a record besides a read and the list of everything. */
interface Observer {
  readonly isIn: (table: FamilyTable, family: Family) => boolean;
  readonly looks?: (row: Row) => readonly Step[];
}

const isViewed: Observer['isIn'] = (table, { name }) => viewOf(table, name) !== undefined;

const list = (on: 'own' | 'view', row: Row): Step => look(listLook(row, { on, about: 'subject', criteria: [] }));

/** An observer is one entry here. */
const OBSERVERS: Readonly<Record<string, Observer>> = {
  entry: { isIn: () => true },
  xml: {
    isIn: (_, family) => hasOp(family, 'read'),
    looks: (row) => [read('subject', 'xml', carried(row['look request']))],
  },
  pages: { isIn: () => true, looks: (row) => [list('own', row)] },
  'view list': { isIn: isViewed, looks: (row) => [list('view', row)] },
  'by name': {
    isIn: (_, family) => hasOp(family, 'readByName'),
    // Two records: one answer for all names shows.
    looks: () => ['subject', BYSTANDER].map(readByName),
  },
};

export const observersOf = (table: FamilyTable, family: Family): readonly string[] =>
  Object.entries(OBSERVERS).flatMap(([name, { isIn }]) => (isIn(table, family) ? [name] : []));

/** What the row looks at besides the subject and the list of everything. */
export const observed = (row: Row): readonly Step[] => OBSERVERS[row['observer'] ?? 'entry']?.looks?.(row) ?? [];
