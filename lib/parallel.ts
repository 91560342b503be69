/** Runs the work over the items, at most `limit` at one time. After a fault nothing more begins, and it is thrown once all have ended. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    } finally {
      queue.length = 0;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.max(1, limit) }, worker));
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
}
