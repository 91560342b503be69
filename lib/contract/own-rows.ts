/**
 * The table without what every object inherits: `constructor` finds no row. For tables that are asked for names out of
 * files, options and answers.
 */
export function ownRows<T extends object>(rows: T): T {
  return Object.assign(Object.create(null) as T, rows);
}
