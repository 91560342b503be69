import { LATENCY_MARGIN, PAUSE_MS } from '../../lib/records/load/parts.ts';
import type { PlannedCell } from './plan.ts';

export type Sized = Pick<PlannedCell, 'targetPerSecond' | 'warmupSeconds'>;

/** Numbers that are proposed: so few that nights with nearly the same latency have the same one. */
const LADDER = [10, 15, 20, 30, 50, 70, 100, 150, 200] as const;
/** Connections of the harness while a cell runs: one looks at endpoints. */
export const LOOKS = 1;

/** Most connections of a cell that all make their handshake within its warm-up. */
export function mostProposed({ targetPerSecond, warmupSeconds }: Sized): number {
  return Math.max(1, Math.min(LADDER.at(-1) ?? 1, Math.floor(targetPerSecond * warmupSeconds)));
}

/** Connections that carry as many transactions at a time: the next number of the ladder, within what the cell can use. */
export function proposed(cell: Sized, inFlight: number): number {
  const most = mostProposed(cell);
  return Math.min(most, LADDER.find((step) => step >= inFlight) ?? most);
}

/** Connections by Little's law: arrivals in twice the latency, and while the target pauses. */
export function connectionsFor(cell: Sized, latencyMs: number): number {
  return proposed(cell, (cell.targetPerSecond * (LATENCY_MARGIN * latencyMs + PAUSE_MS)) / 1000);
}

/** The largest multiple of the segments within so many connections; one for each segment at least. */
export function sharedBy(segments: number, connections: number): number {
  return Math.max(segments, Math.floor(connections / segments) * segments);
}
