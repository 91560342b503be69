import type { ConformanceResult } from '../../../lib/records/conformance.ts';

/** Emits results in plan order. */
export interface OrderedResults {
  readonly add: (index: number, result: ConformanceResult) => void;
  /** Emits what still waits for a result that never came. */
  readonly finish: () => void;
  readonly all: () => readonly ConformanceResult[];
}

/** Opens an ordered sink; `emit` gets each result once. */
export function orderedResults(emit: (result: ConformanceResult) => void): OrderedResults {
  const held = new Map<number, ConformanceResult>();
  const given: ConformanceResult[] = [];
  let next = 0;
  const give = (index: number, result: ConformanceResult) => {
    held.delete(index);
    given.push(result);
    emit(result);
  };
  return {
    add(index, result) {
      held.set(index, result);
      for (let due = held.get(next); due !== undefined; due = held.get(next)) {
        give(next, due);
        next += 1;
      }
    },
    finish() {
      for (const [index, result] of [...held].sort(([a], [b]) => a - b)) give(index, result);
    },
    all: () => given,
  };
}
