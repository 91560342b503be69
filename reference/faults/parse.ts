import type { Deviation } from '../deviation.ts';

export function parseFaults(_faults: readonly string[]): readonly Deviation[] {
  return [];
}
