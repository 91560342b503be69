import type { CellFacts } from '../records/load.ts';
import { UNSERVED } from '../records/samples.ts';
import { inFlightAt } from '../stats/in-flight.ts';
import type { Judged } from './cell-rule.ts';
import type { CellWindow } from './cell-window.ts';
import type { CellLimits } from './limits.ts';

const US_PER_MS = 1000;
const US = 1e6;

/** Mean time a transaction held its connection, microseconds; null where none is known. */
function meanHeldUs({ arrivals }: CellWindow): number | null {
  const held = arrivals.filter(({ lagUs, responseUs }) => lagUs !== UNSERVED && responseUs !== UNSERVED);
  if (held.length === 0) return null;
  return held.reduce((sum, { lagUs, responseUs }) => sum + responseUs - lagUs, 0) / held.length;
}

/** Little's law in words: how many transactions so many connections carry at this service time, and what the target needs. */
export function littleSentence(connections: number, meanUs: number, targetPerSecond: number): string {
  const ms = Math.round(meanUs / US_PER_MS);
  const bound = Math.floor((connections * US) / meanUs);
  const needed = Math.ceil((targetPerSecond * meanUs) / US);
  const carried = `${connections} connections at ${ms} ms mean service time carry at most ${bound}/s`;
  if (bound < targetPerSecond) return `${carried}; ${targetPerSecond}/s needs ${needed} (Little's law)`;
  return `${carried} (Little's law), enough for ${targetPerSecond}/s on average: the target stalled and all were busy meanwhile`;
}

/**
 * Were all arrivals started? Dropped ones are the target's doing where the connections were busy and the generator was not
 * late; otherwise they are the generator's.
 */
export function dropRule(facts: CellFacts, window: CellWindow, generatorHolds: boolean, limits: CellLimits): Judged {
  const { connections, targetPerSecond } = facts.plan;
  const drops = window.arrivals.filter(({ fate }) => fate === 'dropped');
  const measured = `${drops.length} of ${window.arrivals.length} dropped`;
  const rule = { id: 'no-drops', text: 'every arrival got a connection', measured, limit: '0 dropped' };
  if (drops.length === 0) return { ...rule, holds: window.arrivals.length > 0, effect: 'invalid' };
  const moments = drops.map(({ dueUs }) => dueUs);
  const inFlight = inFlightAt(window.transactions, moments);
  const share = inFlight.reduce((sum, count) => sum + count, 0) / inFlight.length / connections;
  const meanUs = meanHeldUs(window);
  if (!generatorHolds || share < limits.busyShare || meanUs === null) {
    const idle = `${Math.round(share * 100)} % of the ${connections} connections in use then`;
    const why = generatorHolds ? idle : 'the generator was not in order';
    return {
      ...rule,
      holds: false,
      effect: 'invalid',
      reason: `${measured}, and that cannot be put down to the target: ${why}`,
    };
  }
  const reason = `the target is too slow for ${connections} connections: ${measured}; ${littleSentence(connections, meanUs, targetPerSecond)}`;
  return { ...rule, holds: false, effect: 'violated', reason };
}
