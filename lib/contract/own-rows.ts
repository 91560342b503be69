/** The table without what every object inherits, for names out of files, options and answers: `constructor` finds no row. */
export const ownRows = <T extends object>(rows: T): T => Object.assign(Object.create(null) as T, rows);
