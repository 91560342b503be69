import { ANC_CHAINS } from '../../lib/contract/anc.ts';
import { count, roughly } from '../../lib/text.ts';
import { RAMP_PAUSE_MS } from '../../lib/wire/scenario.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';

export interface Phase {
  readonly name: string;
  readonly seconds: number;
  readonly requests: number;
}

/** Seconds a cell takes beyond its arrivals: start and stop of k6, preparation, read-back. */
const OVERHEAD_SECONDS = 1.5;

export function rampUpSeconds({ ramp }: PlannedCell): number {
  return ramp === undefined ? 0 : ramp.seconds + RAMP_PAUSE_MS / 1000;
}

/** Seconds that cells take: ramp-up, warm-up, measured time, and what comes on top. */
export function secondsOf(cells: readonly PlannedCell[]): number {
  return cells.reduce(
    (sum, cell) => sum + rampUpSeconds(cell) + cell.warmupSeconds + cell.durationSeconds + OVERHEAD_SECONDS,
    0,
  );
}

const SET_PER_SECOND = 500;

/** Seconds that it takes to set or clear so many endpoints of a target that was seen to do at most so many a second. */
export const settingSeconds = (endpoints: number, donePerSecond = SET_PER_SECOND): number =>
  endpoints / Math.min(SET_PER_SECOND, donePerSecond);

/** The phase that sets or clears so many endpoints; none if there are none. */
export const settingPhase = (name: string, endpoints: number): readonly Phase[] =>
  endpoints === 0 ? [] : [{ name, seconds: settingSeconds(endpoints), requests: endpoints }];

/** Endpoints of a cell that no other one of its chain prepares (side 1) or clears (side 0). */
function unpaired(cells: readonly PlannedCell[], { profile, operation, endpointCount }: PlannedCell, side: 0 | 1) {
  const chain = ANC_CHAINS.find((names) => names[side] === operation);
  const partner = chain?.[1 - side];
  const isPaired = cells.some((cell) => cell.profile === profile && cell.operation === partner);
  return chain === undefined || isPaired ? 0 : endpointCount;
}

/** The phases of a load: each cell with what it has to prepare, and clearing what no cell clears. */
export function loadPhases({ cells }: LoadPlan): readonly Phase[] {
  const byCell = cells.map((cell) => ({
    name: `${cell.profile} ${cell.operation}`,
    seconds: secondsOf([cell]) + unpaired(cells, cell, 1) / SET_PER_SECOND,
    requests: cell.endpointCount - 1 + unpaired(cells, cell, 1),
  }));
  return [
    ...byCell,
    ...settingPhase(
      'clear',
      cells.reduce((sum, cell) => sum + unpaired(cells, cell, 0), 0),
    ),
  ];
}

const total = (phases: readonly Omit<Phase, 'name'>[], key: 'seconds' | 'requests') =>
  phases.reduce((sum, phase) => sum + phase[key], 0);

export const repeated = (name: string, phases: readonly Omit<Phase, 'name'>[], times: number): Phase => ({
  name,
  seconds: total(phases, 'seconds') * times,
  requests: total(phases, 'requests') * times,
});

/** The phases of a plan in a line, with what all take: `about 38 min and 60 000 requests: search 4 min (6 000), …`. */
export function phasesText(phases: readonly Phase[]): string {
  const each = phases.map(({ name, seconds, requests }) => `${name} ${roughly(seconds)} (${count(requests)})`);
  return `about ${roughly(total(phases, 'seconds'))} and ${count(total(phases, 'requests'))} requests: ${each.join(', ')}`;
}
