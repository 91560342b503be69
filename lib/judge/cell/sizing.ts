import type { CellFacts } from '../../records/load/load.ts';
import { LATENCY_MARGIN, PAUSE_MS, type Sizing } from '../../records/load/parts.ts';
import { counted, millis } from '../../text.ts';

/** What a trial of connections showed: `the target takes 30 connections (7 more were reset or refused while these were open)`. */
export const refusedWords = ({ asked, served }: NonNullable<Sizing['refused']>): string =>
  `the target takes ${counted(served, 'connection')} (${asked - served} more were reset or refused while these were open)`;

type Numbers = Pick<CellFacts['plan'], 'targetPerSecond' | 'connections'>;

function numberWords({ targetPerSecond }: Numbers, { given, latencyMs, raised }: Sizing): string {
  if (given !== undefined) return `at most ${given} in all`;
  if (raised === true) return 'more than before, because arrivals were dropped';
  if (latencyMs === undefined) return 'by default, because the probe was not answered';
  const upTo = millis(LATENCY_MARGIN * latencyMs + PAUSE_MS);
  return `enough for ${targetPerSecond}/s if answers take up to ${upTo}, where one alone takes ${millis(latencyMs)}`;
}

/** True if the cell has as many connections as its latency needs: then no arrival waits for one, whatever their number. */
export const isSizedByLatency = ({ sizing }: Pick<CellFacts, 'sizing'>): boolean =>
  sizing !== undefined && sizing.given === undefined && sizing.refused === undefined;

/** How many connections a cell has, and why; undefined in records that do not say. */
export function sizingWords({ plan, sizing }: { plan: Numbers; sizing?: Sizing | undefined }): string | undefined {
  if (sizing === undefined) return undefined;
  const number = `${counted(plan.connections, 'connection')} for the arrivals, ${sizing.beside} for looks`;
  const cap = sizing.refused === undefined ? '' : `; ${refusedWords(sizing.refused)}`;
  return `${number}: ${numberWords(plan, sizing)}${cap}`;
}
