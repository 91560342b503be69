/** Waits for all of the work to end; throws the first fault by order, so that the same faults end it alike each time. */
export async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const told = await Promise.allSettled(work);
  return told.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}
