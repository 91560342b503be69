import { describe, expect, it } from 'vitest';
import { memoryBounds, memoryMibOf, watchMemory } from '../../../load/k6/proc.ts';

describe('the memory of k6', () => {
  it('is bounded by what its connections need, and by the machine', () => {
    expect(memoryBounds({ connections: 100 }, 64_000)).toEqual({ soft: 1424, hard: 2848 });
    expect(memoryBounds({ connections: 100, segments: 2 }, 64_000)).toEqual({ soft: 1224, hard: 2448 });
    expect(memoryBounds({ connections: 3000 }, 8000)).toEqual({ soft: 2000, hard: 4000 });
  });

  it('is told of at the first look, where a process holds more than it may', () => {
    const told: string[] = [];
    watchMemory(process.pid, 1, (reason) => told.push(reason)).stop();
    const isShown = memoryMibOf(process.pid) !== undefined;
    expect(told[0] ?? '').toEqual(
      isShown ? expect.stringMatching(/^k6 held \d+ MiB of memory, more than the 1 MiB/) : '',
    );
    watchMemory(process.pid, 1e9, () => expect.fail('the limit was not reached')).stop();
  });
});
