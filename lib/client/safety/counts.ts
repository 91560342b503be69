type Counts = Map<string, number>;

export const add = (counts: Counts, key: string, more = 1): void => void counts.set(key, (counts.get(key) ?? 0) + more);
