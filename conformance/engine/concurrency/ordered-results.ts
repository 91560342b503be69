import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Grounds } from '../../../lib/records/histories.ts';

/** Opens a sink that emits results in plan order; `emit` gets each once. */
export function orderedResults(emit: (result: ConformanceResult, grounds?: Grounds) => void) {
  const held = new Map<number, readonly [ConformanceResult, Grounds?]>();
  const given: ConformanceResult[] = [];
  let next = 0;
  const give = (index: number, [result, grounds]: readonly [ConformanceResult, Grounds?]) => {
    held.delete(index);
    given.push(result);
    emit(result, grounds);
  };
  return {
    add(index: number, ...result: readonly [ConformanceResult, Grounds?]): void {
      held.set(index, result);
      for (let due = held.get(next); due !== undefined; due = held.get(next)) {
        give(next, due);
        next += 1;
      }
    },
    /** Emits what still waits for a result that never came. */
    finish(): void {
      for (const [index, result] of [...held].sort(([a], [b]) => a - b)) give(index, result);
    },
    all: (): readonly ConformanceResult[] => given,
  };
}
