/**
 * Gives members of a record their present names, so that what an older version wrote stays readable. Anything but an object stays
 * as it is, for the schema to refuse.
 */
export function renamed(names: Readonly<Record<string, string>>): (record: unknown) => unknown {
  return (record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));
  };
}
