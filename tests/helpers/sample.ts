/** True where ERS_TEST_DEFECTS=all asks for everything that `npm test` takes a sample of. */
export const TAKES_ALL = process.env['ERS_TEST_DEFECTS'] === 'all';

/** Every so manyth of the items, the first one included; all of them with ERS_TEST_DEFECTS=all. */
export function oneIn<T>(every: number, items: readonly T[]): readonly T[] {
  return TAKES_ALL ? items : items.filter((_, index) => index % every === 0);
}
