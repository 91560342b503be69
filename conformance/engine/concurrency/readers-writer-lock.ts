/** Lets creates of a family cross only where its own checks mean them to. */
export interface CreateLock {
  /** A create by the family's own checks: crosses others of the kind, and none by the checks of another family. */
  readonly own: <T>(family: string, work: () => Promise<T>) => Promise<T>;
  /** A create by the checks of another family, which needs a record to point at or to view: crosses none. */
  readonly foreign: <T>(family: string, work: () => Promise<T>) => Promise<T>;
}

interface Traffic {
  readonly own: Set<Promise<unknown>>;
  /** Done when no foreign create is under way or waits. */
  foreign: Promise<unknown>;
}

/**
 * Opens the createLock of a run. A target that loses records when creates cross would else lose another family's at one time
 * and none at another: what checks find must not hang on what else goes on.
 */
export function createLock(): CreateLock {
  const families = new Map<string, Traffic>();
  const trafficOf = (family: string): Traffic => {
    const known = families.get(family) ?? { own: new Set(), foreign: Promise.resolve() };
    families.set(family, known);
    return known;
  };
  return {
    own(family, work) {
      const traffic = trafficOf(family);
      const mine = traffic.foreign.then(work);
      const settled = mine.catch(() => undefined).finally(() => traffic.own.delete(settled));
      traffic.own.add(settled);
      return mine;
    },
    foreign(family, work) {
      const traffic = trafficOf(family);
      const mine = Promise.all([traffic.foreign, ...traffic.own]).then(work);
      traffic.foreign = mine.catch(() => undefined);
      return mine;
    },
  };
}
