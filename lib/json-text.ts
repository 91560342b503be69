/** JSON of a value with the members of each object in one order, to compare two by: in which order a target writes them says nothing. */
export const jsonText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );
