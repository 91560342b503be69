interface Traffic {
  readonly own: Set<Promise<unknown>>;
  /** Done when no foreign create is under way or waits. */
  foreign: Promise<unknown>;
}

/**
 * Lets creates of a family run concurrently only if its own checks do so on purpose. Without it, a target that loses concurrent
 * creates would make other families fail at random.
 */
export function createLock() {
  const families = new Map<string, Traffic>();
  const trafficOf = (family: string): Traffic => {
    const known = families.get(family) ?? { own: new Set(), foreign: Promise.resolve() };
    families.set(family, known);
    return known;
  };
  return {
    /** A create by the family's own checks: may run beside others of them, never beside one of another family. */
    own<T>(family: string, work: () => Promise<T>): Promise<T> {
      const traffic = trafficOf(family);
      const mine = traffic.foreign.then(work);
      const settled = mine.catch(() => undefined).finally(() => traffic.own.delete(settled));
      traffic.own.add(settled);
      return mine;
    },
    /** A create by the checks of another family, which needs a record to refer to: runs alone. */
    foreign<T>(family: string, work: () => Promise<T>): Promise<T> {
      const traffic = trafficOf(family);
      const mine = Promise.all([traffic.foreign, ...traffic.own]).then(work);
      traffic.foreign = mine.catch(() => undefined);
      return mine;
    },
  };
}
export type CreateLock = ReturnType<typeof createLock>;
