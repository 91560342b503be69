import type { RunFacts } from '../../kit/check.ts';

/** One queue for each key: work given under a key runs after what was given before it, whether that held or not. */
export function keyedMutex(): RunFacts['exclusive'] {
  const queues = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    queues.set(
      key,
      mine.catch(() => undefined),
    );
    return mine;
  };
}
