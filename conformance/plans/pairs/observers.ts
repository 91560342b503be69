import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { BYSTANDER } from '../../driver/session.ts';
import { viewOf } from '../../kit/fields.ts';
import { type Look, PLAIN, type Step } from '../../steps/step.ts';
import type { Row } from './factors.ts';
import { carried, listLook } from './row-values.ts';

/** A way to look at a record besides a read and the list of everything. */
interface Observer {
  readonly isIn: (table: FamilyTable, family: Family) => boolean;
  readonly looks?: (row: Row) => readonly Look[];
}

const isViewed: Observer['isIn'] = (table, { name }) => viewOf(table, name) !== undefined;

const read = (who: string, form: 'json' | 'xml', row: Row): Look => ({
  ...{ window: 'read', who, form, carried: carried(row['look request']) },
});
const list = (on: 'own' | 'view', row: Row): Look => listLook(row, { on, about: 'subject', criteria: [] });

/** An observer is one entry here. */
const OBSERVERS: Readonly<Record<string, Observer>> = {
  entry: { isIn: () => true },
  xml: { isIn: (_, family) => hasOp(family, 'read'), looks: (row) => [read('subject', 'xml', row)] },
  pages: { isIn: () => true, looks: (row) => [list('own', row)] },
  'view list': { isIn: isViewed, looks: (row) => [list('view', row)] },
  'by name': {
    isIn: (_, family) => hasOp(family, 'readByName'),
    // Two records: one answer for all names shows.
    looks: () => ['subject', BYSTANDER].map((who): Look => ({ window: 'name', who, form: 'json', carried: PLAIN })),
  },
};

/** Names of the observers that the family has. */
export const observersOf = (table: FamilyTable, family: Family): readonly string[] =>
  Object.entries(OBSERVERS).flatMap(([name, { isIn }]) => (isIn(table, family) ? [name] : []));

/** What the row looks at besides the subject and the list of everything. */
export function observed(row: Row): readonly Step[] {
  const looks = OBSERVERS[row['observer'] ?? 'entry']?.looks?.(row) ?? [];
  return looks.map((look): Step => ({ step: 'look', look }));
}
