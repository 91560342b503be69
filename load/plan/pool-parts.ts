/** Neighboring endpoints of a pool: `size` of them from number `offset` on. */
export interface PoolPart {
  readonly offset: number;
  readonly size: number;
}

/** Cuts a pool into `count` disjoint parts of (nearly) the same size, in order; together they are the pool. */
export function partition(pool: { readonly size: number }, count: number): readonly PoolPart[] {
  const bounds = Array.from({ length: count + 1 }, (_, part) => Math.floor((pool.size * part) / count));
  return bounds.slice(1).map((end, part) => ({ offset: bounds[part] ?? 0, size: end - (bounds[part] ?? 0) }));
}
