import { countUpTo } from '../../lib/stats/percentile.ts';

/** Intended starts since the origin: one period apart, or as they are listed, ascending; microseconds. */
export interface Pace {
  readonly periodUs: number;
  readonly duesUs?: Float64Array | undefined;
}

export interface ObservedSchedule extends Pace {
  /** Intended start of the first arrival, or a little before it. */
  readonly originUs: number;
  readonly started: number;
  readonly dropsUs: readonly number[];
}

/** Intended start of an arrival by its place in the schedule, since the origin, microseconds. */
export function dueAt({ periodUs, duesUs }: Pace, tick: number): number {
  return duesUs === undefined ? tick * periodUs : (duesUs[tick] ?? duesUs.at(-1) ?? 0);
}

/** Which arrivals were dropped: a started one is at its number plus the drops before it, a drop at the latest place its moment allows. */
export function reconstructTicks({ originUs, periodUs, duesUs, started, dropsUs }: ObservedSchedule) {
  const total = started + dropsUs.length;
  const moments = Float64Array.from(dropsUs).sort();
  const dropped = new Uint32Array(moments.length);
  const places = new Float64Array(moments.length);
  const placeOf = (momentUs: number) =>
    duesUs === undefined ? Math.floor((momentUs - originUs) / periodUs) : countUpTo(duesUs, momentUs - originUs) - 1;
  let next = total;
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    next = Math.min(placeOf(moments[index] ?? 0), next - 1);
    places[index] = next;
  }
  let least = 0;
  for (let index = 0; index < places.length; index += 1) {
    dropped[index] = Math.max(places[index] ?? 0, least);
    least = (dropped[index] ?? 0) + 1;
  }
  const ticks = new Uint32Array(started);
  let drop = 0;
  for (let seq = 0, tick = 0; seq < started; tick += 1) {
    if (drop < dropped.length && dropped[drop] === tick) drop += 1;
    else ticks[seq++] = tick;
  }
  return { dropped, started: ticks };
}
