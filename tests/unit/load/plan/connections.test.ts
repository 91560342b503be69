import { describe, expect, it } from 'vitest';
import { connectionsFor, proposed, sharedBy } from '../../../../load/plan/connections.ts';

const at = (targetPerSecond: number, warmupSeconds = 2) => ({ targetPerSecond, warmupSeconds });

describe('the number of connections', () => {
  it.each([
    // Twice the latency, and a tenth of a second for pauses.
    [250, 1, 30],
    [250, 8, 30],
    [250, 20, 50],
    [250, 100, 100],
    [250, 300, 200],
    [250, 2000, 200],
    [20, 1, 10],
    [1000, 1, 150],
  ])('at %i/s and %i ms is %i, by Little’s law', (rate, latencyMs, connections) => {
    expect(connectionsFor(at(rate), latencyMs)).toBe(connections);
  });

  it('is never more than can all be used within the warm-up', () => {
    expect(connectionsFor(at(10, 2), 5000)).toBe(20);
    expect(proposed(at(1, 3), 500)).toBe(3);
  });

  it('is shared evenly by the segments', () => {
    expect([sharedBy(1, 29), sharedBy(3, 29), sharedBy(4, 2), sharedBy(1, 0)]).toEqual([29, 27, 4, 1]);
  });
});
