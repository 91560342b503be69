/** Groups items by a key, in the order in which the keys first appear. */
export function groupBy<T>(items: Iterable<T>, key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

/** Groups of things of which each shares a mark with another of its group, in the order of their first member. */
export function connected<T>(items: readonly T[], marks: (item: T) => readonly string[]): readonly (readonly T[])[] {
  const parent = new Map<string, string>();
  const root = (mark: string): string => {
    const above = parent.get(mark) ?? mark;
    return above === mark ? mark : root(above);
  };
  const marked = items.map((item) => ({ item, own: marks(item) }));
  for (const { own } of marked) {
    const [first, ...others] = own;
    for (const other of others) parent.set(root(other), root(first ?? other));
  }
  return [...groupBy(marked, ({ own }) => root(own[0] ?? '')).values()].map((group) => group.map(({ item }) => item));
}
